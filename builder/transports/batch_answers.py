"""What batches bring: on record first, then counted."""

from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from builder.journal.store import Entry, Journal
from builder.providers.clock import now_text
from builder.providers.protocol import CallError
from builder.transports.batch_holds import BatchHolds
from builder.transports.protocol import Ask, AskReport, Watcher
from schemas.chat import Completion, FailedAttempt

GROUP = 500
Result = Completion | CallError


@dataclass(slots=True)
class BatchAnswers:
    """One model's requests without an answer, and the last error of each that failed."""

    missing: dict[str, Ask]
    holds: BatchHolds
    journal: Journal
    watcher: Watcher
    report: AskReport
    errors: dict[str, CallError] = field(default_factory=dict)
    planned: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.planned = frozenset(self.missing)

    async def read(self, keys: Collection[str], results: AsyncIterator[tuple[str, Result]]) -> None:
        """Record what the results hold of the keys; those without a result have failed.

        Raises CallError if the results break off; what came before is on record by then.
        """
        wanted = {key for key in keys if key in self.missing}
        told: set[str] = set()
        group: dict[str, Result] = {}
        try:
            async for key, result in results:
                if key in wanted and key in self.missing and not isinstance(group.get(key), Completion):
                    group[key] = result
                    told.add(key)
                if len(group) >= GROUP:
                    self.record(group)
                    group = {}
        finally:
            self.record(group)
        self.lost([key for key in keys if key in wanted - told], "no result in the batch")

    def lost(self, keys: Iterable[str], why: str) -> None:
        """Record that a batch brought nothing for the keys."""
        self.record({key: CallError("server", why) for key in keys if key in self.missing})

    def record(self, results: Mapping[str, Result]) -> None:
        """Write results of missing requests into the journal, then count them."""
        if not results:
            return
        self.journal.append(_entry(self.missing[key], result) for key, result in results.items())
        for key, result in results.items():
            self._count(self.missing[key], result)

    def unread(self, keys: Iterable[str]) -> list[str]:
        """The keys that are not on record and were not planned here: another stage or a larger plan wants them."""
        foreign = [key for key in keys if key not in self.planned]
        completed = self.journal.completed_keys() if foreign else set()
        return [key for key in foreign if key not in completed]

    def _count(self, ask: Ask, result: Result) -> None:
        model = ask.request.model
        self.holds.ended(ask.key, result)
        if isinstance(result, CallError):
            self.errors[ask.key] = result
            self.watcher.failed(ask.stage, model, result.kind)
            return
        del self.missing[ask.key]
        self.errors.pop(ask.key, None)
        self.report.answered += 1
        self.report.outcomes[result.outcome] += 1
        self.watcher.answered(ask.stage, result, model)


def _entry(ask: Ask, result: Result) -> Entry:
    if isinstance(result, CallError):
        failed = FailedAttempt(ask.key, result.kind, result.message, result.status, now_text())
        return Entry(ask.stage, ask.request, failed)
    return Entry(ask.stage, ask.request, result)
