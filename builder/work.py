"""What one build plans, and what can be read from the journal about it: everything here is rebuilt at will."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from annotation.consensus import consensus
from annotation.decide import Policy
from annotation.items import Wanted, wanted
from annotation.routing import routes
from builder.growth.aids import aids_of
from builder.growth.grow import grown_on_record
from builder.growth.records import Grown
from builder.journal.store import Journal
from builder.partition import Part, parts
from builder.reading import decided, read_part
from builder.stages import bin as bin_stage
from builder.stages import generate, judge, paraphrase, predict, respond
from builder.tally import Tallies, Tally
from builder.transports.protocol import Ask
from schemas.config import LEXICAL, BuildConfig
from schemas.key import key_of
from schemas.records import Annotation, GroundTruth, Judgment, Label, Prediction, Request, Response, Trial, Variant


@dataclass(frozen=True, slots=True)
class Work:
    """The planned rows of a build; `predict_keys` and `respond_keys` stand beside `trials`, row by row.

    `grown` says how the requests came about.
    """

    config: BuildConfig
    requests: tuple[Request, ...]
    variants: tuple[Variant, ...]
    trials: tuple[Trial, ...]
    predict_keys: tuple[str, ...]
    respond_keys: tuple[str, ...]
    grown: Grown

    @property
    def rows(self) -> Part:
        """The planned rows with their keys."""
        return Part(self.trials, self.predict_keys, self.respond_keys)


@dataclass(frozen=True, slots=True)
class Derived:
    """Every record of a build, row by row beside `Work.trials` (judgments: one tuple a row)."""

    predictions: tuple[Prediction, ...]
    responses: tuple[Response, ...]
    judgments: tuple[tuple[Judgment, ...], ...]
    annotations: tuple[Annotation, ...]
    labels: tuple[Label, ...]
    ground_truths: tuple[GroundTruth, ...]


def plan_work(corpus: tuple[Request, ...], config: BuildConfig, grown: Grown | None = None) -> Work:
    """All rows the build should end with."""
    requests = generate.plan(corpus, config)
    variants = paraphrase.plan(requests)
    trials = predict.plan(variants, config)
    return Work(
        config,
        requests,
        variants,
        trials,
        tuple(key_of(predict.ask(trial, config)) for trial in trials),
        tuple(key_of(respond.ask(trial, config)) for trial in trials),
        Grown(requests) if grown is None else grown,
    )


def recorded_work(corpus: tuple[Request, ...], config: BuildConfig, journal: Journal) -> Work:
    """The rows of a build whose corpus is as grown as the journal has it; nobody is asked."""
    grown = grown_on_record(corpus, config, journal.completion, aids_of(config, journal))
    return plan_work(grown.requests, config, grown)


def predict_asks(work: Work) -> Iterator[Ask]:
    """What to ask so that every row has a prediction."""
    for trial, key in zip(work.trials, work.predict_keys, strict=True):
        yield Ask("predict", key, predict.ask(trial, work.config))


def respond_asks(work: Work) -> Iterator[Ask]:
    """What to ask so that every row has a response."""
    for trial, key in zip(work.trials, work.respond_keys, strict=True):
        yield Ask("respond", key, respond.ask(trial, work.config))


def judge_asks(work: Work, journal: Journal) -> Iterator[Ask]:
    """What to ask so that every readable response has the vote of every LLM judge."""
    for name in llm_judges(work.config):
        for trial, response in zip(work.trials, read_responses(work, journal), strict=True):
            if judge.wanted(response):
                request = judge.ask(name, trial.variant.text, response)
                yield Ask("judge", key_of(request), request)


def models_of(config: BuildConfig) -> tuple[str, ...]:
    """Every model that a build may ask, once."""
    writer, verifier = config.generator if config.grows else None, config.verify_with
    asked = (writer, verifier, *config.targets, *llm_judges(config))
    return tuple(dict.fromkeys(model for model in asked if model is not None))


def llm_judges(config: BuildConfig) -> tuple[str, ...]:
    """The judges that are models."""
    return tuple(name for name in config.judges if name != LEXICAL)


def read_responses(work: Work, journal: Journal) -> Iterator[Response]:
    """The response of every row, in plan order."""
    for trial, key in zip(work.trials, work.respond_keys, strict=True):
        yield respond.read(key, journal.completion(key), trial.target)


def planned_answers(work: Work, journal: Journal) -> tuple[Annotation, ...]:
    """What people said of the planned responses: a release holds no other answers, and its labels follow from it."""
    answers = tuple(journal.annotations())
    planned = {answer.response_key for answer in answers}.intersection(work.respond_keys)
    return tuple(answer for answer in answers if answer.response_key in planned)


def derive(work: Work, journal: Journal, policy: Policy) -> Derived:
    """Every record that follows from the journal, all at once; nobody is asked."""
    annotations = planned_answers(work, journal)
    people = consensus(annotations)
    read = [(part, read_part(part, work.config, journal)) for part in parts(work.rows)]
    found = [decided(part, reading, people, policy) for part, reading in read]
    marked = routes([seen for some in found for seen in some.looks])
    labels = tuple(label for some in found for label in some.routed(marked))
    return Derived(
        tuple(chain.from_iterable(reading.predictions for _, reading in read)),
        tuple(chain.from_iterable(reading.responses for _, reading in read)),
        tuple(chain.from_iterable(reading.judgments for _, reading in read)),
        annotations,
        labels,
        bin_stage.plan(work.trials, labels, work.config),
    )


@dataclass(frozen=True, slots=True)
class Account:
    """How one target's planned rows ended: predictions by status, responses by status, labels by source.

    `people` is what people are wanted for, `reasons` why: they count responses, not rows. `substitutes` are other
    models that answered in its place.
    """

    target: str
    planned: int
    predictions: Counter[str]
    responses: Counter[str]
    sources: Counter[str]
    people: Wanted
    reasons: Counter[str]
    substitutes: tuple[str, ...]


def accounts(work: Work, tallies: Tallies) -> tuple[Account, ...]:
    """One account a target; in each, the counts of predictions and of responses sum to the planned rows."""
    return tuple(_account(target, tallies.get(target, Tally())) for target in work.config.targets)


def _account(target: str, tally: Tally) -> Account:
    return Account(
        target,
        tally.planned,
        tally.predictions,
        tally.statuses,
        tally.sources,
        wanted({key: stream for key, (stream, _) in tally.streams.items()}),
        Counter(reason for _, reason in tally.streams.values()),
        tuple(sorted(served for served in tally.served if respond.is_substituted(target, served))),
    )
