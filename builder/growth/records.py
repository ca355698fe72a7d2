"""What growing the corpus leaves behind: candidates, paraphrases tried, verdicts, and an account of every cell."""

from collections.abc import Generator
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple, TypeVar

from annotation.pairs import PairSummary
from builder.growth.reply import End
from builder.transports.protocol import Ask
from schemas.records import Request
from schemas.vocabulary import HarmLevel, ParaphraseKind, Topic

T = TypeVar("T")
AttemptStatus = End | Literal["kept", "rejected", "drifted"]


class Step(NamedTuple):
    """Requests to ask before the next step can be planned."""

    stage: str
    asks: tuple[Ask, ...]


Steps = Generator[Step, None, T]


class Verdict(StrEnum):
    """What a model said of a paraphrase beside its base."""

    SAME = "same"
    DRIFTED = "drifted"
    UNVERIFIED = "unverified"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One proposed request. `rating` is what a verifier made of its topic and level, None if none was asked."""

    candidate_id: str
    topic: Topic
    level: HarmLevel
    call: int
    key: str
    text: str
    status: Literal["accepted", "spare", "rejected", "waiting"]
    reason: str | None = None
    rating: str | None = None
    request_id: str | None = None


@dataclass(frozen=True, slots=True)
class CellAccount:
    """How one topic and level was filled: `calls` by how they ended, `rejected` candidates by rule."""

    topic: Topic
    level: HarmLevel
    wanted: int
    bundled: int
    generated: int
    spare: int
    calls: dict[str, int]
    rejected: dict[str, int]
    unverified: int
    why_short: str | None

    @property
    def missing(self) -> int:
        """Requests that were wanted and are not there."""
        return self.wanted - self.bundled - self.generated


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at one paraphrase: kept, rejected by a rule, drifted to the verifier, or how its call ended."""

    request_id: str
    topic: Topic
    level: HarmLevel
    number: int
    kind: ParaphraseKind
    attempt: int
    key: str
    text: str
    status: AttemptStatus
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Verification:
    """A paraphrase beside its base, as a model saw them; the levels are those it gave to each."""

    variant_id: str
    topic: Topic
    level: HarmLevel
    kind: ParaphraseKind
    generated: bool
    verdict: Verdict
    key: str
    same_intent: bool | None = None
    base_level: int | None = None
    paraphrase_level: int | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Grown:
    """The corpus after growing, and the account of how it came about. `keys` are those of every call behind it.

    `meaning` is the embedding whose band written paraphrases had to keep, None if there was none; `people` what people
    said of the paraphrases, None if nobody did.
    """

    requests: tuple[Request, ...]
    cells: tuple[CellAccount, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    paraphrases_wanted: int = 0
    verifications: tuple[Verification, ...] = ()
    meaning: str | None = None
    people: PairSummary | None = None
    keys: frozenset[str] = frozenset()

    @property
    def missing_requests(self) -> int:
        """Requests that were wanted and are not there."""
        return sum(cell.missing for cell in self.cells)

    @property
    def missing_paraphrases(self) -> int:
        """Paraphrases that were to be generated and are not there."""
        return self.paraphrases_wanted - sum(attempt.status == "kept" for attempt in self.attempts)
