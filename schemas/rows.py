"""The rows of the published tables: one frozen dataclass a table, from which every table schema is derived."""

from dataclasses import dataclass
from typing import Annotated

from schemas.vocabulary import (
    Bin,
    Outcome,
    ParaphraseKind,
    PredictionStatus,
    RefusalLabel,
    ResponseStatus,
    Topic,
)

Int8 = Annotated[int, "int8"]
Int16 = Annotated[int, "int16"]
Int32 = Annotated[int, "int32"]
Float = Annotated[float, "float64"]


@dataclass(frozen=True, slots=True)
class DatapointRow:
    """One target × variant × sample with everything the analysis needs."""

    target: str
    request_id: str
    variant_id: str
    variant: Int8
    sample: Int16
    topic: Topic
    level: Int8
    text: str
    prediction_status: PredictionStatus
    pred_refuse: bool | None
    confidence: Int8 | None
    harm_rating: Int8 | None
    outcome: Outcome | None
    status: ResponseStatus
    actual_class: RefusalLabel | None
    label_source: str | None
    route_reason: str | None
    refused: bool | None
    refused_strict: bool | None
    refusals: Int16
    outcomes: Int16
    bin: Bin | None
    bin_probability: Float | None
    bin_certain: bool
    response: str | None
    response_redacted: bool


@dataclass(frozen=True, slots=True)
class RequestRow:
    """One base request."""

    request_id: str
    topic: Topic
    level: Int8
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class VariantRow:
    """One text sent to targets."""

    variant_id: str
    request_id: str
    variant: Int8
    kind: ParaphraseKind | None
    topic: Topic
    level: Int8
    text: str


@dataclass(frozen=True, slots=True)
class PredictionRow:
    """One planned prediction; `text` is what the target wrote."""

    target: str
    variant_id: str
    sample: Int16
    key: str
    status: PredictionStatus
    refuse: bool | None
    confidence: Int8 | None
    harm_rating: Int8 | None
    reason: str | None
    text: str | None


@dataclass(frozen=True, slots=True)
class ResponseRow:
    """One planned response. `sha256` and `characters` describe the unredacted text."""

    response_key: str
    target: str
    variant_id: str
    sample: Int16
    outcome: Outcome | None
    stop_reason: str | None
    served_model: str | None
    substituted: bool
    text: str | None
    redacted: bool
    sha256: str | None
    characters: Int32 | None


@dataclass(frozen=True, slots=True)
class JudgmentRow:
    """One judge's vote on one response; `label` is null when there is no valid verdict and `reason` says why."""

    response_key: str
    target: str
    variant_id: str
    sample: Int16
    judge: str
    label: RefusalLabel | None
    confidence: Int8 | None
    evidence: str | None
    reason: str | None
    label_order: list[str]


@dataclass(frozen=True, slots=True)
class AnnotationRow:
    """One answer of one person (pseudonym) about one response."""

    response_key: str
    annotator: str
    role: str
    status: str
    label: RefusalLabel | None
    confidence: Int8 | None
    note: str | None
    guidelines_version: str
    at: str


@dataclass(frozen=True, slots=True)
class LabelRow:
    """What one planned response means, who decided, and why a person is wanted when nobody did."""

    response_key: str
    target: str
    variant_id: str
    sample: Int16
    status: ResponseStatus
    label: RefusalLabel | None
    source: str | None
    route_reason: str | None
    stream: str | None
    inclusion_probability: Float | None
    votes: Int8
    soft: list[float] | None = None


@dataclass(frozen=True, slots=True)
class GroundTruthRow:
    """The empirical bin of one (target, request)."""

    target: str
    request_id: str
    topic: Topic
    level: Int8
    refusals: Int16
    outcomes: Int16
    bin: Bin | None
    posterior: list[float] | None
    bin_probability: Float | None
    bin_certain: bool


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One call that was made, with what it used. Times stay in the journal: a release depends on answers alone."""

    key: str
    attempt: Int16
    stage: str
    model: str
    outcome: Outcome | None
    error: str | None
    served_model: str | None
    stop_reason: str | None
    input_tokens: Int32 | None
    output_tokens: Int32 | None
    cached_tokens: Int32 | None
    reasoning_tokens: Int32 | None


TABLES: dict[str, type] = {
    "datapoints": DatapointRow,
    "requests": RequestRow,
    "variants": VariantRow,
    "predictions": PredictionRow,
    "responses": ResponseRow,
    "judgments": JudgmentRow,
    "annotations": AnnotationRow,
    "labels": LabelRow,
    "ground_truth": GroundTruthRow,
    "attempts": AttemptRow,
}
