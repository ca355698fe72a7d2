"""Self-clocked group commit: one thread writes whatever has arrived, then whatever arrived meanwhile."""

import asyncio
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

from builder.journal.store import Entry, Journal, Row

HAND_OVER_S = 0.0005

Group = list[tuple[Row, "asyncio.Future[None]"]]


class JournalWriter:
    """Queues entries of many tasks and commits them in groups; `record` returns when its entry is durable.

    Between an answer and its worker's next call lie as few turns of the event loop as can be: a turn lasts as long as
    all calls that are ready in it. For the same reason the two threads hand the interpreter's lock over sooner.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._waiting: Group = []
        self._committed: asyncio.Future[None] | None = None
        self._thread = ThreadPoolExecutor(1, "journal")

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._usual_s = sys.getswitchinterval()
        sys.setswitchinterval(HAND_OVER_S)
        return self

    async def __aexit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        while self._committed is not None:
            await self._committed
        self._thread.shutdown()
        sys.setswitchinterval(self._usual_s)

    async def record(self, entry: Entry) -> None:
        """Return once the entry is on disk. Raises JournalError if it could not be written."""
        done = self._loop.create_future()
        self._waiting.append((self._journal.row(entry), done))
        if self._committed is None:
            self._committed = self._loop.create_future()
            self._loop.call_soon(self._commit)
        await done

    def _commit(self) -> None:
        group, self._waiting = self._waiting, []
        written = self._thread.submit(self._journal.write, [row for row, _ in group])
        written.add_done_callback(lambda done: self._loop.call_soon_threadsafe(self._settle, group, done))

    def _settle(self, group: Group, written: "Future[None]") -> None:
        failure = written.exception()
        for _, done in group:
            if done.cancelled():
                continue
            if failure is None:
                done.set_result(None)
            else:
                done.set_exception(failure)
        if self._waiting:
            self._commit()
        elif self._committed is not None:
            self._committed.set_result(None)
            self._committed = None
