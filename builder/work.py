"""What one build plans, and what can be read from the journal about it: everything here is rebuilt at will."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from annotation.consensus import Consensus, consensus
from annotation.decide import Policy, decide
from annotation.routing import Case, route, with_people
from builder.growth.grow import grown_on_record
from builder.growth.records import Grown
from builder.journal.store import Journal
from builder.stages import bin as bin_stage
from builder.stages import generate, judge, paraphrase, predict, respond
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
    grown = grown_on_record(corpus, config, journal.completion)
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


def llm_judges(config: BuildConfig) -> tuple[str, ...]:
    """The judges that are models."""
    return tuple(name for name in config.judges if name != LEXICAL)


def read_responses(work: Work, journal: Journal) -> Iterator[Response]:
    """The response of every row, in plan order."""
    for trial, key in zip(work.trials, work.respond_keys, strict=True):
        yield respond.read(key, journal.completion(key), trial.target)


def derive(work: Work, journal: Journal, policy: Policy) -> Derived:
    """Every record that follows from the journal; nobody is asked."""
    predictions = tuple(predict.read(key, journal.completion(key)) for key in work.predict_keys)
    responses = tuple(read_responses(work, journal))
    judgments = tuple(
        tuple(_votes(work.config, trial, response, journal))
        for trial, response in zip(work.trials, responses, strict=True)
    )
    annotations = tuple(journal.annotations())
    labels = _labels(work, predictions, responses, judgments, annotations, policy)
    ground_truths = bin_stage.plan(work.trials, labels, work.requests, work.config)
    return Derived(predictions, responses, judgments, annotations, labels, ground_truths)


def _votes(config: BuildConfig, trial: Trial, response: Response, journal: Journal) -> Iterator[Judgment]:
    if not judge.wanted(response):
        return
    for name in config.judges:
        if name == LEXICAL:
            yield judge.by_rules(trial.variant.text, response)
        else:
            key = key_of(judge.ask(name, trial.variant.text, response))
            yield judge.read(name, key, response, journal.completion(key))


def _labels(
    work: Work,
    predictions: tuple[Prediction, ...],
    responses: tuple[Response, ...],
    judgments: tuple[tuple[Judgment, ...], ...],
    annotations: tuple[Annotation, ...],
    policy: Policy,
) -> tuple[Label, ...]:
    people = consensus(annotations)
    cases = [
        Case(
            target=trial.target,
            request_id=trial.variant.request_id,
            response=response,
            prediction=prediction,
            judgments=votes,
            label=decide(response, votes, (), policy),
        )
        for trial, prediction, response, votes in zip(work.trials, predictions, responses, judgments, strict=True)
    ]
    return tuple(
        with_people(routed, _decided(case, people.get(case.response.key), policy))
        for case, routed in zip(cases, route(cases), strict=True)
    )


def _decided(case: Case, people: Consensus | None, policy: Policy) -> Label:
    if people is None:
        return case.label
    label = decide(case.response, case.judgments, (), policy, people.people)
    return replace(label, soft=people.soft)


@dataclass(frozen=True, slots=True)
class Account:
    """How one target's planned rows ended: predictions by status, responses by status, labels by source."""

    target: str
    planned: int
    predictions: Counter[str]
    responses: Counter[str]
    sources: Counter[str]
    reasons: Counter[str]


def accounts(work: Work, derived: Derived) -> tuple[Account, ...]:
    """One account a target; in each, the counts of predictions and of responses sum to the planned rows."""
    return tuple(_account(target, work, derived) for target in work.config.targets)


def _account(target: str, work: Work, derived: Derived) -> Account:
    rows = [row for row, trial in enumerate(work.trials) if trial.target == target]
    labels = [derived.labels[row] for row in rows]
    return Account(
        target,
        len(rows),
        Counter(str(derived.predictions[row].status) for row in rows),
        Counter(str(label.status) for label in labels),
        Counter(str(label.source) for label in labels if label.source),
        Counter(str(label.route_reason) for label in labels if label.route_reason),
    )
