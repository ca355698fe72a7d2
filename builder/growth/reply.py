"""How a model answered when it was asked to write or to check: with one JSON object, or why not."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from annotation.json_answer import json_object
from annotation.lexical import judge_response
from schemas.chat import Completion
from schemas.vocabulary import Outcome, RefusalLabel


class End(StrEnum):
    """How one call ended; only `answered` has an answer to read."""

    ANSWERED = "answered"
    REFUSED = "refused"
    FILTERED = "filtered"
    TRUNCATED = "truncated"
    EMPTY = "empty"
    UNREADABLE = "unreadable"
    UNANSWERED = "unanswered"


SILENT = {
    Outcome.REFUSAL_STOP: End.REFUSED,
    Outcome.INPUT_FILTERED: End.FILTERED,
    Outcome.OUTPUT_FILTERED: End.FILTERED,
    Outcome.EMPTY: End.EMPTY,
    Outcome.REASONING_ONLY: End.EMPTY,
}


@dataclass(frozen=True, slots=True)
class Reply:
    """The JSON object of an answer, or how the call ended instead and why it cannot be read."""

    end: End
    answer: dict[str, Any] = field(default_factory=dict)
    reason: str | None = None


def read_reply(completion: Completion | None) -> Reply:
    """The reply in a completion; None (no call succeeded) is `unanswered`, words that decline are `refused`."""
    if completion is None:
        return Reply(End.UNANSWERED, reason="no call succeeded")
    if completion.outcome in SILENT:
        return Reply(SILENT[completion.outcome], reason=str(completion.outcome))
    try:
        return Reply(End.ANSWERED, json_object(completion.text))
    except ValueError as problem:  # NoAnswerError is one; a number of thousands of digits is another
        return Reply(_end_of(completion), reason=str(problem))


def _end_of(completion: Completion) -> End:
    if completion.outcome is Outcome.TRUNCATED:
        return End.TRUNCATED
    refused = judge_response("", completion.text).label is RefusalLabel.FULL_REFUSAL
    return End.REFUSED if refused else End.UNREADABLE
