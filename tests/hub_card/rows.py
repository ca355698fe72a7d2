"""A small made-up build: two targets, eight requests of four levels, every status. No text means anything."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from analysis.metrics.bins import bin_posterior, point_bin
from annotation.decide import Policy
from annotation.judge_record import JudgeRecord
from annotation.routing import route
from hub_card.facts import Codebook, ReleaseFacts, StageCount
from hub_card.records import cases, trial
from schemas.rows import (
    AnnotationRow,
    AttemptRow,
    DatapointRow,
    GroundTruthRow,
    JudgmentRow,
    LabelRow,
    PredictionRow,
    RequestRow,
    ResponseRow,
    VariantRow,
)
from schemas.vocabulary import (
    Bin,
    Outcome,
    ParaphraseKind,
    PredictionStatus,
    RefusalLabel,
    ResponseStatus,
    Topic,
)

TARGETS = ("local/alpha", "openai/beta")
JUDGE = "local/umpire"
LEVELS = (1, 3, 4, 5)
TOPICS = (Topic.WEAPONS, Topic.FRAUD)
CYCLE = (
    RefusalLabel.FULL_COMPLIANCE,
    RefusalLabel.FULL_REFUSAL,
    None,
    RefusalLabel.PARTIAL_COMPLIANCE,
    RefusalLabel.PARTIAL_REFUSAL,
)
PREDICTED = (*[PredictionStatus.OK] * 5, PredictionStatus.REFUSED, PredictionStatus.UNPARSED)
ANNOTATED = 4
SETTINGS = {
    "samples": 1, "bin_scheme": "paper", "judges": [JUDGE], "accept_judge": None, "min_votes": 1, "lexical_sure": 4,
}  # fmt: skip
POLICY = Policy(gated=frozenset({JUDGE}))
CODEBOOK = "# Codebook\n\nVersion: 1.0\n\nWhat the four labels mean.\n"

Tables = dict[str, Sequence[Any]]


def sha(*parts: object) -> str:
    """A key or hash made of anything."""
    return hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest()


def words(*parts: object) -> str:
    """A text of 160 characters that nothing else contains."""
    return " ".join(sha(*parts, n)[:7] for n in range(20))


def tables(samples: int = 1, cycle: Sequence[RefusalLabel | None] = CYCLE) -> Tables:
    """Every table of a build, unredacted; labels come round in the order of `cycle`, the first by people."""
    requests = [
        RequestRow(f"{topic}-L{level}-00", topic, level, f"Request {topic} {level}: {words(topic, level)}", "bundled")
        for topic in TOPICS
        for level in LEVELS
    ]
    variants = [
        VariantRow(f"{request.request_id}-v{n}", request.request_id, n, ParaphraseKind.TERSE if n else None,
                   request.topic, request.level, request.text if n == 0 else f"{request.text} Again {n}.")
        for request in requests
        for n in range(3)
    ]  # fmt: skip
    trials = [(target, variant, sample) for target in TARGETS for variant in variants for sample in range(samples)]
    predictions = [prediction(*trial, PREDICTED[n % len(PREDICTED)]) for n, trial in enumerate(trials)]
    labels = [label(*trial, n, cycle[n % len(cycle)]) for n, trial in enumerate(trials)]
    responses = [response(*trial, found) for trial, found in zip(trials, labels, strict=True)]
    both = list(zip(responses, labels, strict=True))
    judgments = [vote(JUDGE, answer, found) for answer, found in both if found.status in ("ok", "unlabelled")]
    return routed({
        "datapoints": [],
        "requests": requests,
        "variants": variants,
        "predictions": predictions,
        "responses": responses,
        "judgments": judgments,
        "annotations": [annotation(person, *row) for row in both[:ANNOTATED] for person in ("p1", "p2")],
        "labels": labels,
        "ground_truth": [],
        "attempts": [attempt(answer) for answer in responses],
    })  # fmt: skip


def routed(built: Tables, policy: Policy = POLICY) -> Tables:
    """The tables with every label drawn into the stream that outcome and votes give it, and all that follows."""
    plain = {name: [asdict(row) for row in found] for name, found in built.items()}
    requests = {row["variant_id"]: row["request_id"] for row in plain["variants"]}
    known = dict(cases(plain, requests, policy))
    drawn = dict(zip(known, route(list(known.values())), strict=True))
    labels = [
        replace(
            row,
            route_reason=row.route_reason if row.status is ResponseStatus.UNLABELLED else found.route_reason,
            stream=found.stream,
            inclusion_probability=found.inclusion_probability,
        )
        for row, found in ((row, drawn[trial(asdict(row))]) for row in built["labels"])
    ]
    return with_labels(built, labels)


def with_labels(built: Tables, labels: Sequence[LabelRow] | None = None) -> Tables:
    """The tables with these labels (default: their own) and all that follows from labels: bins and datapoints."""
    labels = built["labels"] if labels is None else labels
    variants = {variant.variant_id: variant for variant in built["variants"]}
    trials = [(row.target, variants[row.variant_id], row.sample) for row in labels]
    truths = [
        ground_truth(target, request, built["variants"], labels) for target in TARGETS for request in built["requests"]
    ]
    rows = datapoints(trials, built["predictions"], built["responses"], labels, truths)
    return {**built, "labels": labels, "ground_truth": truths, "datapoints": rows}


def prediction(target: str, variant: VariantRow, sample: int, status: PredictionStatus) -> PredictionRow:
    said = status is PredictionStatus.OK
    text = f"prediction {words('prediction', target, variant.variant_id, sample)}"
    return PredictionRow(
        target, variant.variant_id, sample, sha("predict", target, variant.variant_id, sample), status,
        variant.level > 3 if said else None, 4 if said else None, variant.level if said else None, None, text,
    )  # fmt: skip


def label(target: str, variant: VariantRow, sample: int, n: int, named: RefusalLabel | None) -> LabelRow:
    status = ResponseStatus.OK if named else (ResponseStatus.UNLABELLED, ResponseStatus.ERROR)[n // len(CYCLE) % 2]
    source, votes = ("human", 2) if n < ANNOTATED else ("judges", 1)
    soft = [float(name is named) for name in RefusalLabel] if named and n < ANNOTATED else None
    return LabelRow(
        sha("respond", target, variant.variant_id, sample), target, variant.variant_id, sample, status, named,
        source if named else None, "no_valid_vote" if status is ResponseStatus.UNLABELLED else None, None, None,
        votes if named else 0, soft,
    )  # fmt: skip


def response(target: str, variant: VariantRow, sample: int, found: LabelRow) -> ResponseRow:
    came = found.status is not ResponseStatus.ERROR
    text = f"response {words('response', target, variant.variant_id, sample)}" if came else None
    return ResponseRow(
        found.response_key, target, variant.variant_id, sample, Outcome.TEXT if came else None,
        "stop" if came else None, f"{target}-served" if came else None, False, text, False,
        hashlib.sha256(text.encode()).hexdigest() if text else None, len(text) if text else None,
    )  # fmt: skip


def vote(judge: str, answer: ResponseRow, found: LabelRow) -> JudgmentRow:
    quote = (answer.text or "")[20:90]
    return JudgmentRow(
        found.response_key, answer.target, answer.variant_id, answer.sample, judge, found.label,
        5 if found.label else None, quote, f"reason: {quote}" if found.label else "unparsed: no quote",
        [name.value for name in RefusalLabel],
    )  # fmt: skip


def annotation(person: str, answer: ResponseRow, found: LabelRow) -> AnnotationRow:
    return AnnotationRow(
        answer.response_key, person, "annotator", "submitted", found.label, 4,
        f"note {person} {(answer.text or '')[:60]}", "1.0", "2026-11-01T10:00:00Z",
    )  # fmt: skip


def attempt(answer: ResponseRow) -> AttemptRow:
    came = answer.outcome is not None
    return AttemptRow(
        answer.response_key, 1, "respond", answer.target, answer.outcome, None if came else "server",
        answer.served_model, answer.stop_reason, 20 if came else None, 40 if came else None, None, None,
    )  # fmt: skip


def ground_truth(
    target: str, request: RequestRow, variants: Sequence[VariantRow], labels: Sequence[LabelRow]
) -> GroundTruthRow:
    mine = {variant.variant_id for variant in variants if variant.request_id == request.request_id}
    found = [row.label for row in labels if row.target == target and row.variant_id in mine and row.label]
    refusals = sum(name in (RefusalLabel.FULL_REFUSAL, RefusalLabel.PARTIAL_REFUSAL) for name in found)
    point = point_bin(refusals, len(found))
    posterior = [float(mass) for mass in bin_posterior(refusals, len(found)).probabilities] if found else None
    most = max(posterior) if posterior else None
    return GroundTruthRow(
        target, request.request_id, request.topic, request.level, refusals, len(found), Bin(point) if point else None,
        posterior, None if most is None else round(most, 12), most is not None and most >= 0.8,
    )  # fmt: skip


def datapoints(
    trials: Sequence[tuple[str, VariantRow, int]],
    predictions: Sequence[PredictionRow],
    responses: Sequence[ResponseRow],
    labels: Sequence[LabelRow],
    truths: Sequence[GroundTruthRow],
) -> list[DatapointRow]:
    by_request = {(truth.target, truth.request_id): truth for truth in truths}
    rows = []
    for (target, variant, sample), said, answer, found in zip(trials, predictions, responses, labels, strict=True):
        truth = by_request[target, variant.request_id]
        refused = found.label in (RefusalLabel.FULL_REFUSAL, RefusalLabel.PARTIAL_REFUSAL)
        rows.append(DatapointRow(
            target, variant.request_id, variant.variant_id, variant.variant, sample, variant.topic, variant.level,
            variant.text, said.status, said.refuse, said.confidence, said.harm_rating, answer.outcome, found.status,
            found.label, found.source, found.route_reason, refused if found.label else None,
            found.label is RefusalLabel.FULL_REFUSAL if found.label else None, truth.refusals, truth.outcomes,
            truth.bin, truth.bin_probability, truth.bin_certain, answer.text, False,
        ))  # fmt: skip
    return rows


def facts(built: Tables, **changed: Any) -> ReleaseFacts:
    """The facts that belong to the tables."""
    stated = ReleaseFacts(
        name="refusal-foresight",
        version="1.0.0",
        tier="public",
        code_version="0.1.0",
        corpus_hash=sha("corpus"),
        prompt_hashes={"predict": sha("predict.md"), "judge": sha("judge.md")},
        codebook=Codebook("1.0", hashlib.sha256(CODEBOOK.encode()).hexdigest(), CODEBOOK),
        targets={target: (f"{target}-served",) for target in TARGETS},
        counts=counts(built),
        settings=SETTINGS,
        canary="refusal-foresight canary 00000000-0000-4000-8000-000000000000",
        judge_records=(record(),),
    )
    return replace(stated, **changed)


def record(n: int = 100, *, passes_gate: bool = True) -> dict[str, Any]:
    """The record of the judge, as a manifest holds it."""
    made = JudgeRecord(JUDGE, sha("judge.md"), "1.0", "2026-01-01", "gold", sha("gold"), n, {}, passes_gate, ())
    found: dict[str, Any] = json.loads(made.to_json())
    return found


def counts(built: Tables) -> tuple[StageCount, ...]:
    found = []
    for target in TARGETS:
        said = [row for row in built["predictions"] if row.target == target]
        answered = [row for row in built["responses"] if row.target == target]
        came = sum(row.outcome is not None for row in answered)
        lost = len(answered) - came
        found.append(StageCount("predict", target, len(said), len(said)))
        found.append(StageCount("respond", target, len(answered), came, {"error": lost} if lost else {}))
    return tuple(found)


def sparse() -> Tables:
    """A build whose calls all failed to be judged: no people, no votes, no labels, no attempts on record."""
    return routed({**tables(cycle=(None,)), "annotations": [], "judgments": [], "attempts": []})
