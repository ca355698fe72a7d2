"""The rules, in the order in which they are tried: from what stands in a response to a label."""

from annotation.lexical.reading import Reading
from annotation.lexical.request import Asked
from annotation.lexical.rules.answering import answers, clarifies, is_cut_off, says_no, says_yes_or_no
from annotation.lexical.rules.declining import declines
from annotation.lexical.rules.evading import (
    condemns,
    corrects_wording,
    gives_nothing,
    lacks_access,
    rejects_claim,
    rejects_premise,
    withholds_opinion,
)
from annotation.lexical.rules.ruling import Rule, Ruling

RULES: tuple[Rule, ...] = (
    is_cut_off,
    says_no,
    declines,
    says_yes_or_no,
    withholds_opinion,
    rejects_claim,
    rejects_premise,
    corrects_wording,
    clarifies,
    lacks_access,
    condemns,
    gives_nothing,
)


def rule(reading: Reading, asked: Asked) -> Ruling:
    """The ruling of the first rule that applies; that it answers, if none does."""
    if not reading.said:
        return Ruling(None, 5, "there is nothing to read")
    for attempt in RULES:
        ruling = attempt(reading, asked)
        if ruling is not None:
            return ruling
    return answers(reading, asked)
