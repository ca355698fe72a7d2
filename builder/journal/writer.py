"""Self-clocked group commit: one thread writes whatever has arrived, then whatever arrived meanwhile."""

import asyncio
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

from builder.journal.store import Entry, Journal, Row

AT_ONCE = 4

Group = list[tuple[Row, "asyncio.Future[None]"]]


class JournalWriter:
    """Queues entries of many tasks and commits them in groups; `record` returns when its entry is durable.

    A turn of the event loop lasts as long as all calls that are ready in it, and each of them waits for all. So few
    turns lie between an answer and the next call, and a group's callers go on a few a turn, not all in one.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._waiting: Group = []
        self._committed: asyncio.Future[None] | None = None
        self._told: deque[tuple[asyncio.Future[None], BaseException | None]] = deque()
        self._thread = ThreadPoolExecutor(1, "journal")

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        return self

    async def __aexit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        while self._committed is not None:
            await self._committed
        self._thread.shutdown()

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
        idle = not self._told
        self._told.extend((done, written.exception()) for _, done in group)
        if idle:
            self._tell()
        if self._waiting:
            self._commit()
        elif self._committed is not None:
            self._committed.set_result(None)
            self._committed = None

    def _tell(self) -> None:
        for _ in range(min(AT_ONCE, len(self._told))):
            done, failure = self._told.popleft()
            if done.cancelled():
                continue
            if failure is None:
                done.set_result(None)
            else:
                done.set_exception(failure)
        if self._told:
            self._loop.call_soon(self._tell)
