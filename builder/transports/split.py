"""Two transports for one run: batches where the provider has them, live calls for the rest."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from builder.transports.protocol import Ask, AskReport, Transport


@dataclass(frozen=True, slots=True)
class SplitTransport:
    """Sends each ask to `batch` or to `live`, as its model allows."""

    batch: Transport
    live: Transport
    has_batches: Callable[[str], bool]

    def ask(self, asks: Iterable[Ask]) -> AskReport:
        """Ask both; return what became of every request."""
        wanted = list(asks)
        first = self.live.ask([ask for ask in wanted if not self.has_batches(ask.request.model)])
        second = self.batch.ask([ask for ask in wanted if self.has_batches(ask.request.model)])
        return first.joined(second)
