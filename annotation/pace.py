"""When people answered, how fast they go, and which answers say nothing of either. Pure."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from annotation.adjudicate import latest
from schemas.records import Annotation


def timed(annotations: Iterable[Annotation]) -> list[Annotation]:
    """The answers whose own time is known.

    A time that several answers of one person share is that of bringing a filled-in table into the journal.
    """
    given = list(annotations)
    answered = {(answer.annotator, answer.at, answer.response_key) for answer in given}
    at_once = Counter((who, at) for who, at, _ in answered)
    return [answer for answer in given if at_once[answer.annotator, answer.at] == 1]


def pace(annotations: Iterable[Annotation], now: datetime) -> float | None:
    """Submitted answers an hour over the last hour, or over what there is of it; None if nobody was seen at work.

    Answers without times of their own (`timed`) count neither as work nor as time.
    """
    ages = [hours(answer, now) for answer in latest(timed(annotations)) if answer.status == "submitted"]
    recent = [age for age in ages if 0 <= age < 1]
    return len(recent) / max(recent) if len(recent) > 1 and max(recent) > 0 else None


def hours(answer: Annotation, now: datetime) -> float:
    """How long ago the answer was given."""
    return (now - datetime.fromisoformat(answer.at)).total_seconds() / 3600
