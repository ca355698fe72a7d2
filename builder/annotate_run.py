"""What `annotate-dataset` reads of a run: its items, its annotations, and what its judges said. Writes only answers."""

import time
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from annotation.decide import Policy, decide
from annotation.items import CONTEXT, Item
from annotation.pairs import Pair
from annotation.routing import Case, route
from builder.corpus_file import BUNDLED, read_corpus
from builder.journal.lock import RunLockedError, run_lock
from builder.journal.store import Journal, open_journal
from builder.judge_records import valid_records
from builder.paraphrase_pairs import pairs_of
from builder.pipeline import policy as deciding_policy
from builder.work import Derived, Work, derive, recorded_work
from schemas.command_line import command_line
from schemas.config import BuildConfig, ConfigError
from schemas.records import Annotation, Label, ParaphraseCheck
from schemas.vocabulary import RefusalLabel

LOCK_PATIENCE_S = 60.0


class RunPairs(NamedTuple):
    """The paraphrases of a run beside their bases, and what people said of them, oldest first."""

    pairs: tuple[Pair, ...]
    checks: tuple[ParaphraseCheck, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """A run as people see it. `verdicts` is judge → response key → label; `requests` response key → base request.

    `paraphrases` is what people check of its corpus.

    `n_responses` is how many planned responses are on record.
    """

    path: Path
    items: tuple[Item, ...]
    annotations: tuple[Annotation, ...]
    verdicts: Mapping[str, Mapping[str, RefusalLabel]]
    requests: Mapping[str, str]
    n_responses: int
    paraphrases: RunPairs


def read_run(flags: Namespace) -> Run:
    """The run in `flags.run`. Raises ConfigError if there is none, JournalError if its journal cannot be read."""
    config = _settings(flags)
    corpus = read_corpus(flags.corpus or BUNDLED).requests
    policy = deciding_policy(config, valid_records(config.judges, config.judge_records))
    with open_journal(flags.run) as journal:
        work = recorded_work(corpus, config, journal)
        derived = derive(work, journal, policy)
        paraphrases = _pairs(work, journal)
    return Run(
        flags.run,
        tuple(_items(work, derived, policy)),
        derived.annotations,
        _verdicts(derived),
        {key: trial.variant.request_id for key, trial in zip(work.respond_keys, work.trials, strict=True)},
        len({response.key for response in derived.responses if response.outcome is not None}),
        paraphrases,
    )


def read_pairs(flags: Namespace) -> RunPairs:
    """The paraphrases of the run in `flags.run`. Raises what `read_run` raises."""
    corpus, config = read_corpus(flags.corpus or BUNDLED).requests, _settings(flags)
    with open_journal(flags.run) as journal:
        return _pairs(recorded_work(corpus, config, journal), journal)


def record(run: Path, answers: Callable[[tuple[Annotation, ...]], Iterable[Annotation]]) -> int:
    """Write what `answers` makes of the annotations on record; returns how many are new.

    The run is locked from the reading to the writing, so that of two commands at once the second sees what the first
    wrote. Raises RunLockedError if another one holds the run for more than a minute.
    """
    return _locked(run, lambda journal: journal.annotate(answers(tuple(journal.annotations()))))


def record_checks(run: Path, answers: Callable[[tuple[ParaphraseCheck, ...]], Iterable[ParaphraseCheck]]) -> int:
    """`record`, for what people say of paraphrases."""
    return _locked(run, lambda journal: journal.check_paraphrases(answers(tuple(journal.paraphrase_checks()))))


def _locked(run: Path, write: Callable[[Journal], int]) -> int:
    until = time.monotonic() + LOCK_PATIENCE_S
    while True:
        try:
            with run_lock(run), open_journal(run) as journal:
                return write(journal)
        except RunLockedError:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


def annotate(verb: str, flags: Namespace, *more: object) -> str:
    """The command line of another verb on the same run."""
    return command_line("annotate-dataset", verb, *_where(flags), *more)


def build_again(flags: Namespace) -> str:
    """The command line that builds the same run again; flags that its settings came from are to be given again."""
    return command_line("build-dataset", *_where(flags))


def _where(flags: Namespace) -> list[object]:
    return ["--run", flags.run, *(["--corpus", flags.corpus] if flags.corpus else [])]


def _settings(flags: Namespace) -> BuildConfig:
    path = flags.run / "settings.json"
    if not path.exists():
        raise ConfigError(f"there is no build in {flags.run}: run {build_again(flags)} first, or give its --run")
    try:
        return BuildConfig.model_validate_json(path.read_text(encoding="utf-8"))
    except ValidationError as error:
        raise ConfigError(
            f"{path} does not hold the settings of a build of this version: run {build_again(flags)} again"
        ) from error


def _pairs(work: Work, journal: Journal) -> RunPairs:
    return RunPairs(tuple(pairs_of(work.requests)), tuple(journal.paraphrase_checks()))


def _items(work: Work, derived: Derived, policy: Policy) -> Iterator[Item]:
    requests = {request.request_id: request for request in work.requests}
    rows = zip(work.trials, derived.responses, _machine_labels(work, derived, policy), strict=True)
    seen = set()
    for trial, response, label in rows:
        if label.stream is None or response.key in seen:
            continue
        seen.add(response.key)
        yield Item(
            key=response.key,
            request_id=trial.variant.request_id,
            topic=requests[trial.variant.request_id].topic,
            request=trial.variant.text,
            response=response.text,
            context=None if response.outcome is None else CONTEXT.get(response.outcome),
            reason=label.route_reason or label.stream,
            stream=label.stream,
            suggestion=label.label,
        )


def _machine_labels(work: Work, derived: Derived, policy: Policy) -> list[Label]:
    """Labels and routes as if nobody had answered: what people are asked must not change with what they answer."""
    cases = [
        Case(
            target=trial.target,
            request_id=trial.variant.request_id,
            response=response,
            prediction=prediction,
            judgments=votes,
            label=decide(response, votes, (), policy),
        )
        for trial, prediction, response, votes in zip(
            work.trials, derived.predictions, derived.responses, derived.judgments, strict=True
        )
    ]
    return route(cases)


def _verdicts(derived: Derived) -> dict[str, dict[str, RefusalLabel]]:
    found: dict[str, dict[str, RefusalLabel]] = {}
    for votes in derived.judgments:
        for vote in votes:
            if vote.label is not None:
                found.setdefault(vote.judge, {})[vote.response_key] = vote.label
    return found
