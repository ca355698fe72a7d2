"""Some planned rows as the journal has them: predictions, responses, votes, and the labels these lead to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from annotation.consensus import Consensus
from annotation.decide import Policy, decide
from annotation.routing import Case, Look, Routes, look, with_people
from builder.journal.lookup import Result, completion_in, results_of
from builder.journal.store import Attempt, Journal
from builder.partition import Part
from builder.stages import judge, predict, respond
from schemas.config import LEXICAL, BuildConfig
from schemas.key import key_of
from schemas.records import Judgment, Label, Prediction, Response, Trial

Results = Mapping[str, Sequence[Result]]


class Reading(NamedTuple):
    """What the journal holds of a part, row by row (judgments: one tuple a row), and every call behind it."""

    predictions: tuple[Prediction, ...]
    responses: tuple[Response, ...]
    judgments: tuple[tuple[Judgment, ...], ...]
    attempts: tuple[Attempt, ...]


class Decided(NamedTuple):
    """What follows for each row of a part: what routing looks at, and the label with what people said."""

    looks: list[Look]
    labels: list[Label]

    def routed(self, found: Routes) -> list[Label]:
        """The labels in the streams that judges alone put their rows into."""
        rows = zip(self.looks, self.labels, strict=True)
        return [with_people(found.marked(seen.label), label) for seen, label in rows]


def read_part(part: Part, config: BuildConfig, journal: Journal) -> Reading:
    """What the journal holds of the rows. Raises JournalError if it cannot be read."""
    results = results_of(journal, dict.fromkeys((*part.predict_keys, *part.respond_keys)))
    predictions = tuple(predict.read(key, completion_in(results.get(key, ()))) for key in part.predict_keys)
    responses = tuple(
        respond.read(key, completion_in(results.get(key, ())), trial.target)
        for trial, key in zip(part.trials, part.respond_keys, strict=True)
    )
    asked = [_judge_keys(config, trial, response) for trial, response in zip(part.trials, responses, strict=True)]
    models = {key: name for keys in asked for name, key in keys.items() if key is not None}
    voted = results_of(journal, models)
    judgments = tuple(
        tuple(_votes(trial, response, keys, voted))
        for trial, response, keys in zip(part.trials, responses, asked, strict=True)
    )
    return Reading(predictions, responses, judgments, tuple(_attempts(part, results, models, voted)))


def decided(part: Part, reading: Reading, people: Mapping[str, Consensus], policy: Policy) -> Decided:
    """The labels of the rows, before routing; `looks` have those that nobody but judges decided."""
    found = Decided([], [])
    rows = zip(part.trials, reading.predictions, reading.responses, reading.judgments, strict=True)
    for trial, prediction, response, votes in rows:
        label = decide(response, votes, (), policy)
        found.looks.append(look(Case(trial.target, trial.variant.request_id, response, prediction, votes, label)))
        said = people.get(response.key)
        if said is not None:
            label = replace(decide(response, votes, (), policy, said.people), soft=said.soft)
        found.labels.append(label)
    return found


def _judge_keys(config: BuildConfig, trial: Trial, response: Response) -> dict[str, str | None]:
    if not judge.wanted(response):
        return {}
    return {
        name: None if name == LEXICAL else key_of(judge.ask(name, trial.variant.text, response))
        for name in config.judges
    }


def _votes(trial: Trial, response: Response, keys: Mapping[str, str | None], voted: Results) -> Iterator[Judgment]:
    for name, key in keys.items():
        if key is None:
            yield judge.by_rules(trial.variant.text, response)
        else:
            yield judge.read(name, key, response, completion_in(voted.get(key, ())))


def _attempts(part: Part, results: Results, models: Mapping[str, str], voted: Results) -> Iterator[Attempt]:
    for stage, keys in (("predict", part.predict_keys), ("respond", part.respond_keys)):
        for key in dict.fromkeys(keys):
            yield from (Attempt(key, stage, part.target, result) for result in results.get(key, ()))
    for key, model in models.items():
        yield from (Attempt(key, "judge", model, result) for result in voted.get(key, ()))
