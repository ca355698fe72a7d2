"""What every transport takes and gives."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from schemas.chat import ChatRequest, Completion
from schemas.vocabulary import Outcome


class Ask(NamedTuple):
    """One request of one stage, under its key."""

    stage: str
    key: str
    request: ChatRequest


@dataclass(slots=True)
class AskReport:
    """What became of the requests handed to a transport; every one is in exactly one of the counts.

    `failed` maps a key to why it has no answer; `stopped` maps a model to why it was given up.
    """

    already: int = 0
    answered: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    not_asked: dict[str, str] = field(default_factory=dict)
    stopped: dict[str, str] = field(default_factory=dict)
    outcomes: Counter[Outcome] = field(default_factory=Counter)

    def joined(self, other: "AskReport") -> "AskReport":
        """What became of the requests of both."""
        return AskReport(
            already=self.already + other.already,
            answered=self.answered + other.answered,
            failed=self.failed | other.failed,
            not_asked=self.not_asked | other.not_asked,
            stopped=self.stopped | other.stopped,
            outcomes=self.outcomes + other.outcomes,
        )


class Watcher(Protocol):
    """Somebody who wants to see the asking go on; one call for each event."""

    def begin(self, stage: str, model: str, planned: int, already: int) -> None:
        """`planned` requests of a stage and model are wanted, `already` of them are answered."""

    def answered(self, stage: str, completion: Completion, model: str) -> None:
        """An answer is on record."""

    def failed(self, stage: str, model: str, kind: str) -> None:
        """An attempt failed."""

    def waiting(self, model: str, wait_s: float) -> None:
        """Nothing more is asked of a model for so long, by what its server told of its limit; 0: it is asked again."""

    def under_way(self, model: str, requests: int, batches: int) -> None:
        """So many requests of a model are in batches at its provider, and are waited for."""

    def given_up(self, model: str, why: str) -> None:
        """Nothing more is asked of a model in this stage; the rest of its requests is not asked."""

    def end(self) -> None:
        """The stage's requests are done."""


class Transport(Protocol):
    """Asks what has no answer yet and journals what comes back."""

    def ask(self, asks: Iterable[Ask]) -> AskReport:
        """Ask; return what became of every request. Raises nothing for a call that fails."""
        ...
