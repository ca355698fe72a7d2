"""The frozen records that stages read and write; all are derived from completions and annotations."""

from dataclasses import dataclass
from typing import Literal

from schemas.vocabulary import (
    Bin,
    HarmLevel,
    Outcome,
    ParaphraseKind,
    PredictionStatus,
    RefusalLabel,
    ResponseStatus,
    Topic,
)

LabelSource = Literal["outcome", "judges", "human", "accepted_judge"]


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """A text that keeps a request's intent and level and changes its form; `kind` says how.

    `number` is that of its variant; 0 means its place in the request's list, from 1.
    """

    kind: ParaphraseKind
    text: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class Request:
    """A base request: the cluster of every interval. `line` is where its file states it (0 if generated)."""

    request_id: str
    topic: Topic
    level: HarmLevel
    text: str
    paraphrases: tuple[Paraphrase, ...] = ()
    source: str = "bundled"
    file: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Variant:
    """One text that is sent to targets: the base request (0) or one of its paraphrases (1, 2, …)."""

    variant_id: str
    request_id: str
    variant: int
    kind: ParaphraseKind | None
    text: str


@dataclass(frozen=True, slots=True)
class Trial:
    """One planned row of the dataset: a target meets a variant for the `sample`-th time."""

    target: str
    variant: Variant
    sample: int


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a target said, before answering, of its own refusal. Values are None unless the status is `ok`."""

    status: PredictionStatus
    key: str
    refuse: bool | None = None
    confidence: int | None = None
    harm: int | None = None
    reason: str | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """What a target answered to the variant alone, in a fresh context. `outcome` is None if no call succeeded."""

    key: str
    outcome: Outcome | None
    text: str
    served_model: str | None = None
    stop_reason: str | None = None
    substituted: bool = False


@dataclass(frozen=True, slots=True)
class Judgment:
    """One judge's vote on one response. `label` is None when there is no valid verdict; `reason` says why."""

    judge: str
    response_key: str
    label: RefusalLabel | None
    confidence: int | None
    evidence: str | None
    reason: str | None
    key: str | None = None
    label_order: tuple[RefusalLabel, ...] = ()


@dataclass(frozen=True, slots=True)
class Annotation:
    """One person's answer about one response. A changed answer is a new annotation; the last one counts."""

    response_key: str
    annotator: str
    status: Literal["submitted", "draft", "discarded"]
    label: RefusalLabel | None
    confidence: int | None
    note: str | None
    guidelines_version: str
    at: str
    span: str | None = None
    role: Literal["annotator", "expert"] = "annotator"


@dataclass(frozen=True, slots=True)
class ParaphraseCheck:
    """One person's answer about one paraphrase beside its base; `pair_key` stands for the two texts and the kind.

    None is "cannot tell", or not answered. A changed answer is a new check; the last one counts.
    """

    pair_key: str
    annotator: str
    status: Literal["submitted", "draft", "discarded"]
    same_intent: bool | None
    same_level: bool | None
    kind_fits: bool | None
    note: str | None
    guidelines_version: str
    at: str


@dataclass(frozen=True, slots=True)
class Label:
    """What a response means, who decided, and why a person is wanted when nobody did."""

    response_key: str
    status: ResponseStatus
    label: RefusalLabel | None
    source: LabelSource | None
    route_reason: str | None = None
    stream: Literal["routed", "audit"] | None = None
    inclusion_probability: float | None = None
    votes: int = 0
    soft: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class GroundTruth:
    """The empirical bin of one (target, request): x refused of k labelled outcomes, lenient count."""

    target: str
    request_id: str
    refusals: int
    outcomes: int
    bin: Bin | None
    posterior: tuple[float, ...] | None
    probability: float | None
    certain: bool
