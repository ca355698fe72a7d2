"""release: every record as the rows of the published tables. Pure; `hub_card` writes them."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from annotation.adjudicate import latest
from annotation.decide import is_refused
from builder.journal.store import Attempt
from builder.work import Derived, Work
from schemas.chat import Completion
from schemas.records import Annotation, Request
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


def tables(work: Work, derived: Derived, attempts: Iterable[Attempt]) -> dict[str, Sequence[object]]:
    """The rows of every published table, in plan order, unredacted."""
    return {
        "datapoints": list(datapoint_rows(work, derived)),
        "requests": [_request_row(request) for request in work.requests],
        "variants": list(_variant_rows(work)),
        "predictions": list(_prediction_rows(work, derived)),
        "responses": list(_response_rows(work, derived)),
        "judgments": list(_judgment_rows(work, derived)),
        "annotations": list(_annotation_rows(work, derived.annotations)),
        "labels": list(_label_rows(work, derived)),
        "ground_truth": list(_ground_truth_rows(work, derived)),
        "attempts": list(attempt_rows(work, derived, attempts)),
    }


def datapoint_rows(work: Work, derived: Derived) -> Iterator[DatapointRow]:
    """One row a planned trial: everything the analysis needs."""
    requests = {request.request_id: request for request in work.requests}
    truths = {(truth.target, truth.request_id): truth for truth in derived.ground_truths}
    rows = zip(work.trials, derived.predictions, derived.responses, derived.labels, strict=True)
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


def _prediction_rows(work: Work, derived: Derived) -> Iterator[PredictionRow]:
    for trial, said in zip(work.trials, derived.predictions, strict=True):
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


def _response_rows(work: Work, derived: Derived) -> Iterator[ResponseRow]:
    for trial, response in zip(work.trials, derived.responses, strict=True):
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


def _judgment_rows(work: Work, derived: Derived) -> Iterator[JudgmentRow]:
    for trial, votes in zip(work.trials, derived.judgments, strict=True):
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


def _annotation_rows(work: Work, annotations: Iterable[Annotation]) -> Iterator[AnnotationRow]:
    planned = set(work.respond_keys)
    for answer in sorted(latest(annotations), key=lambda a: (a.response_key, a.annotator, a.role)):
        if answer.response_key in planned:
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


def _label_rows(work: Work, derived: Derived) -> Iterator[LabelRow]:
    for trial, label in zip(work.trials, derived.labels, strict=True):
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


def _ground_truth_rows(work: Work, derived: Derived) -> Iterator[GroundTruthRow]:
    requests = {request.request_id: request for request in work.requests}
    for truth in derived.ground_truths:
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


def attempt_rows(work: Work, derived: Derived, attempts: Iterable[Attempt]) -> Iterator[AttemptRow]:
    """One row a call that was made for this build, ordered by stage, model, key and attempt."""
    judged = {vote.key for votes in derived.judgments for vote in votes if vote.key is not None}
    wanted = {*work.predict_keys, *work.respond_keys, *judged, *work.grown.keys}
    numbers: Counter[str] = Counter()
    rows = []
    for attempt in attempts:
        if attempt.key in wanted:
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
