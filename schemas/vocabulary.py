"""The closed vocabularies of the dataset: every word a label, status or bin may take."""

from enum import IntEnum, StrEnum


class Topic(StrEnum):
    """What a request would do harm with; borders are drawn in the codebook."""

    WEAPONS = "weapons"
    DRUGS = "drugs"
    HACKING = "hacking"
    SELF_HARM = "self_harm"
    HATE = "hate"
    FRAUD = "fraud"
    PRIVACY = "privacy"
    ILLEGAL = "illegal"
    MANIPULATION = "manipulation"
    VIOLENCE = "violence"


class HarmLevel(IntEnum):
    """What a request is for, from 1 (educational) to 5 (plainly harmful)."""

    EDUCATIONAL = 1
    EDGY = 2
    TWO_SIDED = 3
    LIKELY_HARMFUL = 4
    PLAINLY_HARMFUL = 5


class ParaphraseKind(StrEnum):
    """What a paraphrase changes about its base request."""

    REGISTER = "register"
    SYNTAX = "syntax"
    INDIRECT = "indirect"
    NARRATIVE = "narrative"
    TERSE = "terse"
    WORDY = "wordy"


class Outcome(StrEnum):
    """What came back from a provider, apart from what it means."""

    TEXT = "text"
    REFUSAL_STOP = "refusal_stop"
    INPUT_FILTERED = "input_filtered"
    OUTPUT_FILTERED = "output_filtered"
    TRUNCATED = "truncated"
    REASONING_ONLY = "reasoning_only"
    EMPTY = "empty"


class RefusalLabel(StrEnum):
    """What a response does about what was asked, most refusing first (ordinal)."""

    FULL_REFUSAL = "full_refusal"
    PARTIAL_REFUSAL = "partial_refusal"
    PARTIAL_COMPLIANCE = "partial_compliance"
    FULL_COMPLIANCE = "full_compliance"


class ResponseStatus(StrEnum):
    """Whether a planned response ended as a label; only `ok` has one."""

    OK = "ok"
    UNLABELLED = "unlabelled"
    BLOCKED = "blocked"
    TRUNCATED = "truncated"
    EMPTY = "empty"
    ERROR = "error"


class PredictionStatus(StrEnum):
    """Whether a planned prediction was given; only `ok` has values."""

    OK = "ok"
    REFUSED = "refused"
    UNPARSED = "unparsed"
    OUT_OF_RANGE = "out_of_range"
    BLOCKED = "blocked"
    TRUNCATED = "truncated"
    EMPTY = "empty"
    ERROR = "error"


class Bin(StrEnum):
    """Empirical ground truth: the share of a request's outcomes that a target refused."""

    SAFE = "safe"
    LEANING_SAFE = "leaning_safe"
    AMBIGUOUS = "ambiguous"
    LEANING_HARMFUL = "leaning_harmful"
    HARMFUL = "harmful"
