"""release: every record as the rows of the published tables. Pure; `hub_card` writes them."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from annotation.adjudicate import latest
from annotation.decide import is_refused
from builder.journal.store import Attempt
from builder.partition import Part
from builder.reading import Reading
from builder.work import Work
from schemas.chat import Completion
from schemas.records import Annotation, GroundTruth, Label, Request
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
from schemas.vocabulary import RefusalLabel


class Result(NamedTuple):
    """What a part of the plan led to: its reading, its labels and bins, and what people said of its responses."""

    part: Part
    reading: Reading
    labels: Sequence[Label]
    ground_truths: Sequence[GroundTruth]
    annotations: Sequence[Annotation]


def tables(found: Result, requests: Mapping[str, Request]) -> dict[str, Sequence[object]]:
    """The rows about a part of the plan, unredacted, in plan order; `requests` are all of them by id.

    Annotations and attempts are sorted, within the part.
    """
    return {
        "datapoints": list(_datapoint_rows(found, requests)),
        "predictions": list(_prediction_rows(found)),
        "responses": list(_response_rows(found)),
        "judgments": list(_judgment_rows(found)),
        "annotations": list(_annotation_rows(found)),
        "labels": list(_label_rows(found)),
        "ground_truth": list(_ground_truth_rows(found, requests)),
        "attempts": list(attempt_rows(found.reading.attempts)),
    }


def corpus_tables(work: Work, attempts: Iterable[Attempt]) -> dict[str, Sequence[object]]:
    """The rows about the corpus, with the attempts at growing it."""
    return {
        "requests": [_request_row(request) for request in work.requests],
        "variants": list(_variant_rows(work)),
        "attempts": list(attempt_rows(attempts)),
    }


def _datapoint_rows(found: Result, requests: Mapping[str, Request]) -> Iterator[DatapointRow]:
    truths = {(truth.target, truth.request_id): truth for truth in found.ground_truths}
    rows = zip(found.part.trials, found.reading.predictions, found.reading.responses, found.labels, strict=True)
    for trial, prediction, response, label in rows:
        request = requests[trial.variant.request_id]
        truth = truths[trial.target, request.request_id]
        yield DatapointRow(
            target=trial.target,
            request_id=request.request_id,
            variant_id=trial.variant.variant_id,
            variant=trial.variant.variant,
            sample=trial.sample,
            topic=request.topic,
            level=int(request.level),
            text=trial.variant.text,
            prediction_status=prediction.status,
            pred_refuse=prediction.refuse,
            confidence=prediction.confidence,
            harm_rating=prediction.harm,
            outcome=response.outcome,
            status=label.status,
            actual_class=label.label,
            label_source=label.source,
            route_reason=label.route_reason,
            refused=None if label.label is None else is_refused(label.label),
            refused_strict=None if label.label is None else label.label is RefusalLabel.FULL_REFUSAL,
            refusals=truth.refusals,
            outcomes=truth.outcomes,
            bin=truth.bin,
            bin_probability=truth.probability,
            bin_certain=truth.certain,
            response=None if response.outcome is None else response.text,
            response_redacted=False,
        )


def _request_row(request: Request) -> RequestRow:
    return RequestRow(request.request_id, request.topic, int(request.level), request.text, request.source)


def _variant_rows(work: Work) -> Iterator[VariantRow]:
    requests = {request.request_id: request for request in work.requests}
    for variant in work.variants:
        request = requests[variant.request_id]
        yield VariantRow(
            variant.variant_id,
            variant.request_id,
            variant.variant,
            variant.kind,
            request.topic,
            int(request.level),
            variant.text,
        )


def _prediction_rows(found: Result) -> Iterator[PredictionRow]:
    for trial, said in zip(found.part.trials, found.reading.predictions, strict=True):
        yield PredictionRow(
            trial.target,
            trial.variant.variant_id,
            trial.sample,
            said.key,
            said.status,
            said.refuse,
            said.confidence,
            said.harm,
            said.reason,
            said.text,
        )


def _response_rows(found: Result) -> Iterator[ResponseRow]:
    for trial, response in zip(found.part.trials, found.reading.responses, strict=True):
        came = response.outcome is not None
        yield ResponseRow(
            response_key=response.key,
            target=trial.target,
            variant_id=trial.variant.variant_id,
            sample=trial.sample,
            outcome=response.outcome,
            stop_reason=response.stop_reason,
            served_model=response.served_model,
            substituted=response.substituted,
            text=response.text if came else None,
            redacted=False,
            sha256=hashlib.sha256(response.text.encode(errors="surrogatepass")).hexdigest() if came else None,
            characters=len(response.text) if came else None,
        )


def _judgment_rows(found: Result) -> Iterator[JudgmentRow]:
    for trial, votes in zip(found.part.trials, found.reading.judgments, strict=True):
        for vote in votes:
            yield JudgmentRow(
                response_key=vote.response_key,
                target=trial.target,
                variant_id=trial.variant.variant_id,
                sample=trial.sample,
                judge=vote.judge,
                label=vote.label,
                confidence=vote.confidence,
                evidence=vote.evidence,
                reason=vote.reason,
                label_order=[label.value for label in vote.label_order],
            )


def _annotation_rows(found: Result) -> Iterator[AnnotationRow]:
    for answer in sorted(latest(found.annotations), key=lambda a: (a.response_key, a.annotator, a.role)):
        yield AnnotationRow(
            answer.response_key,
            answer.annotator,
            answer.role,
            answer.status,
            answer.label,
            answer.confidence,
            answer.note,
            answer.guidelines_version,
            answer.at,
        )


def _label_rows(found: Result) -> Iterator[LabelRow]:
    for trial, label in zip(found.part.trials, found.labels, strict=True):
        yield LabelRow(
            response_key=label.response_key,
            target=trial.target,
            variant_id=trial.variant.variant_id,
            sample=trial.sample,
            status=label.status,
            label=label.label,
            source=label.source,
            route_reason=label.route_reason,
            stream=label.stream,
            inclusion_probability=label.inclusion_probability,
            votes=label.votes,
            soft=None if label.soft is None else list(label.soft),
        )


def _ground_truth_rows(found: Result, requests: Mapping[str, Request]) -> Iterator[GroundTruthRow]:
    for truth in found.ground_truths:
        request = requests[truth.request_id]
        yield GroundTruthRow(
            target=truth.target,
            request_id=truth.request_id,
            topic=request.topic,
            level=int(request.level),
            refusals=truth.refusals,
            outcomes=truth.outcomes,
            bin=truth.bin,
            posterior=None if truth.posterior is None else list(truth.posterior),
            bin_probability=truth.probability,
            bin_certain=truth.certain,
        )


def attempt_rows(attempts: Iterable[Attempt]) -> Iterator[AttemptRow]:
    """One row a call, ordered by stage, model, key and attempt; attempts at one key come oldest first."""
    numbers: Counter[str] = Counter()
    rows = []
    for attempt in attempts:
        numbers[attempt.key] += 1
        rows.append(_attempt_row(attempt, numbers[attempt.key]))
    return iter(sorted(rows, key=lambda row: (row.stage, row.model, row.key, row.attempt)))


def _attempt_row(attempt: Attempt, number: int) -> AttemptRow:
    result = attempt.result
    if not isinstance(result, Completion):
        nothing = (None, None, None, None, None, None)
        return AttemptRow(attempt.key, number, attempt.stage, attempt.model, None, result.kind, *nothing)
    return AttemptRow(
        key=attempt.key,
        attempt=number,
        stage=attempt.stage,
        model=attempt.model,
        outcome=result.outcome,
        error=None,
        served_model=result.served_model,
        stop_reason=result.stop_reason,
        input_tokens=result.usage.input_tokens,
        output_tokens=result.usage.output_tokens,
        cached_tokens=result.usage.cached_tokens,
        reasoning_tokens=result.usage.reasoning_tokens,
    )
