"""What people are asked to label, how many of them, and how far they are. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple

from annotation.adjudicate import adjudicate, latest
from annotation.routing import draw
from schemas.records import Annotation
from schemas.vocabulary import Outcome, RefusalLabel, Topic

# Where judges took opposite sides a third voice often settles it; where a label is only to be confirmed one is enough.
OVERLAP_BY_REASON = {"judges_disagree": 3, "low_confidence": 1, "length_anomaly": 1, "bin_edge": 1}
OVERLAP = 2
HEAD, TAIL = 3000, 1500
WORTH_FOLDING = 1000
CONTEXT = {
    Outcome.TRUNCATED: "The response was cut off at its length limit.",
    Outcome.REFUSAL_STOP: "The response was broken off by the model or its provider.",
}


@dataclass(frozen=True, slots=True)
class Item:
    """One response that people are wanted for. `suggestion` is what the machine would say: never shown by default."""

    key: str
    request_id: str
    topic: Topic
    request: str
    response: str
    context: str | None
    reason: str
    stream: Literal["routed", "audit"]
    suggestion: RefusalLabel | None = None

    @property
    def overlap(self) -> int:
        """How many people should label it: two in the audit stream, else by the reason."""
        return OVERLAP if self.stream == "audit" else OVERLAP_BY_REASON.get(self.reason, OVERLAP)


class Wanted(NamedTuple):
    """How many responses people are wanted for: by the rules, and drawn at random among what judges decided."""

    routed: int
    audit: int

    def __str__(self) -> str:
        total = self.routed + self.audit
        return f"{total:,} responses: routed {self.routed:,} + audit sample {self.audit:,}"


def wanted(streams: Mapping[str, str | None]) -> Wanted:
    """The count of a map from response key to stream: a response counts once, whatever number of rows it stands in."""
    counts = Counter(streams.values())
    return Wanted(counts["routed"], counts["audit"])


class State(StrEnum):
    """How far one item is."""

    PENDING = "pending"
    PARTIAL = "partial"
    SETTLED = "settled"
    DISAGREEMENT = "disagreement"
    UNDECIDABLE = "undecidable"


@dataclass(frozen=True, slots=True)
class Progress:
    """An item's state and the submitted answers behind it, experts' among them."""

    state: State
    answers: tuple[Annotation, ...]


def progress(items: Iterable[Item], annotations: Iterable[Annotation]) -> dict[str, Progress]:
    """Key → progress.

    Settled: an expert's label, or enough people who agree or have a majority. Disagreement: enough people answered and
    none of that. Undecidable: an expert said that it cannot be told.
    """
    answers: dict[str, list[Annotation]] = defaultdict(list)
    for annotation in latest(annotations):
        if annotation.status == "submitted":
            answers[annotation.response_key].append(annotation)
    return {item.key: _progress(item, answers[item.key]) for item in items}


def _progress(item: Item, answers: Sequence[Annotation]) -> Progress:
    experts = [answer for answer in answers if answer.role == "expert"]
    enough = len(answers) - len(experts) >= item.overlap
    if experts and experts[-1].label is None:
        state = State.UNDECIDABLE
    elif (experts or enough) and adjudicate(answers).state == "settled":
        state = State.SETTLED
    elif enough:
        state = State.DISAGREEMENT
    else:
        state = State.PARTIAL if answers else State.PENDING
    return Progress(state, tuple(answers))


def queue(
    items: Iterable[Item],
    done: Mapping[str, Progress],
    annotator: str,
    answered: Iterable[Annotation],
    declined: Iterable[Topic] = (),
) -> list[Item]:
    """What an annotator may still label: open items of topics they take that they have not answered or skipped.

    The order is the annotator's own and stays the same.
    """
    theirs = {a.response_key for a in answered if a.annotator == annotator and a.status != "draft"}
    unwanted = set(declined)
    wanted = [
        item
        for item in items
        if done[item.key].state in (State.PENDING, State.PARTIAL)
        and item.key not in theirs
        and item.topic not in unwanted
    ]
    return sorted(wanted, key=lambda item: draw(item.key, f"queue {annotator}"))


def folded(text: str) -> str:
    """A long text with its middle left out and said to be; a text that is not much too long stays as it is."""
    left_out = len(text) - HEAD - TAIL
    if left_out < WORTH_FOLDING:
        return text
    return f"{text[:HEAD]}\n\n[… {left_out:,} characters folded …]\n\n{text[-TAIL:]}"
