"""People's answers about one response → one label, or the reason there is none yet. Pure."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple

from schemas.records import Annotation
from schemas.vocabulary import RefusalLabel

State = Literal["none", "settled", "disagreement"]


class Adjudication(NamedTuple):
    """What people decided: `settled` with a label, `disagreement`, or `none` who answered."""

    state: State
    label: RefusalLabel | None
    votes: int


def latest(annotations: Iterable[Annotation]) -> list[Annotation]:
    """Each annotator's last answer about each response, in order of recording; earlier ones are history."""
    last: dict[tuple[str, str, str], Annotation] = {}
    for annotation in annotations:
        last[annotation.response_key, annotation.annotator, annotation.role] = annotation
    return list(last.values())


def adjudicate(annotations: Iterable[Annotation]) -> Adjudication:
    """The people's label for one response.

    An expert's submitted label decides; else all agreeing, else more than half of at least three. Answers without a
    label ("cannot tell"), drafts and discarded ones are no votes.
    """
    votes = [a for a in latest(annotations) if a.status == "submitted" and a.label is not None]
    experts = [a for a in votes if a.role == "expert"]
    if experts:
        return Adjudication("settled", experts[-1].label, len(votes))
    if not votes:
        return Adjudication("none", None, 0)
    label, most = Counter(a.label for a in votes).most_common(1)[0]
    if most == len(votes) or (len(votes) >= 3 and 2 * most > len(votes)):
        return Adjudication("settled", label, len(votes))
    return Adjudication("disagreement", None, len(votes))
