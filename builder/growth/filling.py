"""One cell while it is filled, and the account of how that went."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from builder.corpus_rules.balance import PER_CELL
from builder.growth.candidates import candidate_request
from builder.growth.records import Candidate, CellAccount
from builder.growth.reply import End
from builder.stages.generate import Cell
from builder.transports.protocol import Ask
from schemas.config import BuildConfig
from schemas.records import Request


@dataclass(slots=True)
class Filling:
    """What a cell should hold, and what every call brought so far; `valid` are candidates under their own names."""

    cell: Cell
    wanted: int
    bundled: int
    next_number: int
    calls: list[Ask] = field(default_factory=list)
    ends: list[End] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)
    valid: list[Request] = field(default_factory=list)
    waiting: bool = False

    @property
    def room(self) -> int:
        """Requests to be generated."""
        return max(0, self.wanted - self.bundled)

    @property
    def missing(self) -> int:
        """Requests still to be found."""
        return max(0, self.room - len(self.valid))

    def take(self, fresh: Iterable[Candidate]) -> list[Request]:
        """Take this cell's candidates of a round; returns the valid ones.

        If one of them has no rating yet, none is taken and the cell waits: a later run must find the same order.
        """
        mine = [item for item in fresh if self.cell == (item.topic, item.level)]
        self.candidates += mine
        self.waiting |= any(item.status == "waiting" and item.reason is not None for item in mine)
        found = [] if self.waiting else [candidate_request(item) for item in mine if item.status == "waiting"]
        self.valid += found
        return found


def empty_cells(corpus: Sequence[Request], bundled: Sequence[Request], config: BuildConfig) -> list[Filling]:
    """The chosen cells with what they should hold; numbers go on where the corpus ends."""
    found = []
    for cell in (Cell(topic, level) for topic in config.topics for level in config.levels):
        wanted = PER_CELL[cell.level] if config.per_cell is None else config.per_cell
        numbers = [int(r.request_id.rpartition("-")[2]) for r in corpus if cell == (r.topic, r.level)]
        there = sum(cell == (request.topic, request.level) for request in bundled)
        found.append(Filling(cell, wanted, there, max(numbers, default=0) + 1))
    return found


def requests_of(filling: Filling, generator: str) -> list[Request]:
    """The first valid candidates the cell has room for, as requests with ids of their own."""
    source, names = f"generated:{generator}", _names(filling)
    return [
        replace(request, request_id=names[request.request_id], source=source)
        for request in filling.valid[: filling.room]
    ]


def ended(filling: Filling) -> list[Candidate]:
    """Every candidate as it ended: accepted under an id, spare, rejected, or waiting for an answer."""
    names, valid = _names(filling), {request.request_id for request in filling.valid}
    return [
        replace(item, status="accepted", request_id=names[item.candidate_id])
        if item.candidate_id in names
        else replace(item, status="spare")
        if item.candidate_id in valid
        else item
        for item in filling.candidates
    ]


def account(filling: Filling) -> CellAccount:
    """How the cell was filled."""
    candidates = ended(filling)
    accepted = [item for item in candidates if item.status == "accepted"]
    rejected = Counter(str(item.reason).partition(":")[0] for item in candidates if item.status == "rejected")
    return CellAccount(
        topic=filling.cell.topic,
        level=filling.cell.level,
        wanted=filling.wanted,
        bundled=filling.bundled,
        generated=len(accepted),
        spare=sum(item.status == "spare" for item in candidates),
        calls=dict(Counter(str(end) for end in filling.ends)),
        rejected=dict(rejected),
        unverified=sum((item.rating or "").startswith("unverified") for item in accepted),
        why_short=_why_short(filling, rejected),
    )


def _names(filling: Filling) -> dict[str, str]:
    topic, level = filling.cell
    return {
        request.request_id: f"{topic}-L{level.value}-{number:02d}"
        for number, request in enumerate(filling.valid[: filling.room], start=filling.next_number)
    }


def _why_short(filling: Filling, rejected: Counter[str]) -> str | None:
    if not filling.missing:
        return None
    if filling.waiting:
        return "unanswered"
    if not filling.valid and not rejected:
        (most, _), *_ = Counter(filling.ends).most_common(1)
        return f"generator_{most}"
    return "too_few_valid_candidates"
