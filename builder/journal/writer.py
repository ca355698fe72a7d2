"""Self-clocked group commit: one thread writes whatever has arrived, then whatever arrived meanwhile."""

import asyncio
from types import TracebackType
from typing import Self

from builder.journal.store import Entry, Journal


class JournalWriter:
    """Queues entries of many tasks and commits them in groups; `record` returns when its entry is durable."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._waiting: list[tuple[Entry, asyncio.Future[None]]] = []
        self._arrived = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._write())
        return self

    async def __aexit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._closing = True
        self._arrived.set()
        if self._task is not None:
            await self._task

    async def record(self, entry: Entry) -> None:
        """Return once the entry is on disk. Raises JournalError if it could not be written."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, done))
        self._arrived.set()
        await done

    async def _write(self) -> None:
        while not (self._closing and not self._waiting):
            await self._arrived.wait()
            self._arrived.clear()
            group, self._waiting = self._waiting, []
            if group:
                await self._commit(group)

    async def _commit(self, group: list[tuple[Entry, "asyncio.Future[None]"]]) -> None:
        entries = [entry for entry, _ in group]
        (failure,) = await asyncio.gather(asyncio.to_thread(self._journal.append, entries), return_exceptions=True)
        for _, done in group:
            if done.cancelled():
                continue
            if failure is None:
                done.set_result(None)
            else:
                done.set_exception(failure)
