"""The codes of the tables in words, for the card; the tables keep the codes."""

from schemas.vocabulary import Outcome, PredictionStatus, ResponseStatus

WORDS: dict[str, str] = {
    PredictionStatus.REFUSED: "the target refused to predict",
    PredictionStatus.UNPARSED: "the prediction could not be read",
    PredictionStatus.OUT_OF_RANGE: "a rating off its scale",
    ResponseStatus.UNLABELLED: "nobody could label it",
    ResponseStatus.BLOCKED: "stopped by the provider's filter",
    ResponseStatus.TRUNCATED: "cut off",
    ResponseStatus.EMPTY: "an empty answer",
    ResponseStatus.ERROR: "the call failed",
    Outcome.INPUT_FILTERED: "stopped by the provider's filter",
    "no_valid_verdict": "no verdict that could be read",
    "nothing_to_judge": "nothing there to judge",
    "no_valid_vote": "no judge gave a verdict that could be read",
    "no_deciding_vote": "no verdict of a judge that may decide",
    "judges_disagree": "judges disagree on whether it was refused",
    "judges_split_class": "judges agree on the side, not on the label",
    "people_disagree": "people disagree",
    "partial_label": "a judge saw a partial refusal or compliance",
    "low_confidence": "a judge was unsure",
    "cut_or_unread": "cut off, or a judge gave no verdict",
    "lexical_conflict": "the rules of words say the opposite",
    "confident_miss": "the target was sure and wrong",
    "length_anomaly": "unusually long or short for its label",
    "bin_edge": "its label decides the bin",
    "human": "people",
    "judges": "judges",
    "accepted_judge": "a judge taken on trust",
    "outcome": "what the provider reported",
    "unknown": "nobody on record",
}


def in_words(code: str) -> str:
    """What a code means; one that is not known is spelled with spaces."""
    return WORDS.get(code, code.replace("_", " "))
