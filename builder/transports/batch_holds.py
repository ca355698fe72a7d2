"""What is set aside of the budget for the requests of one model's batches."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from builder.providers.protocol import CallError
from builder.transports.protocol import Ask
from builder.transports.purse import Purse
from schemas.chat import Completion

NEVER_SENT = CallError("connection", "it was never sent", sent=False)


@dataclass(slots=True)
class BatchHolds:
    """One model's part of the purse's holds, key by key."""

    model: str
    purse: Purse
    by_key: dict[str, float] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """US dollars set aside."""
        return sum(self.by_key.values())

    def take(self, ask: Ask) -> bool:
        """Set aside the most a request can cost, in place of what was; False if the budget has no room for it now."""
        self.give_back([ask.key])
        held = self.purse.hold(ask.request)
        if held is None:
            return False
        self.by_key[ask.key] = held
        return True

    def ended(self, key: str, result: Completion | CallError | None) -> None:
        """Replace what was set aside for a request by what it cost: at the most if nobody will tell (None)."""
        self.purse.ended(self.model, self.by_key.pop(key, 0.0), result)

    def give_back(self, keys: Iterable[str]) -> None:
        """Give back what was set aside for requests that the provider has not."""
        for key in keys:
            self.ended(key, NEVER_SENT)

    def close(self) -> None:
        """Count at the most what is set aside still: it is under way at the provider, and nobody waits for it."""
        for key in list(self.by_key):
            self.ended(key, None)
