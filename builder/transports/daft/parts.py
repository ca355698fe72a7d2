"""Writing a partition's attempts as they arrive: one file for what has come, then one for what came meanwhile."""

import asyncio
from collections import defaultdict
from types import TracebackType
from typing import Any, Self

from builder.transports.daft.rows import new_attempt
from builder.transports.daft.store import AttemptStore

Row = dict[str, Any]


class PartWriter:
    """Groups rows of many tasks into files; `record` returns when its row is in the store.

    At the end the files of each stage become one, sorted by key, so that a big run leaves few files.
    """

    def __init__(self, store: AttemptStore) -> None:
        self._store = store
        self._waiting: list[tuple[Row, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None
        self._rows: dict[str, list[Row]] = defaultdict(list)
        self._names: dict[str, list[str]] = defaultdict(list)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None:
        if self._task is not None:
            await self._task
        if kind is None:
            await asyncio.to_thread(self._join)

    async def record(self, row: Row) -> None:
        """Return once the row is in the store. Raises StoreError if it could not be written."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((row, done))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write())
        await done

    async def _write(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting, []
            rows = [row for row, _ in group]
            (failure,) = await asyncio.gather(asyncio.to_thread(self._put, rows), return_exceptions=True)
            for _, done in group:
                if done.cancelled():
                    continue
                if failure is None:
                    done.set_result(None)
                else:
                    done.set_exception(failure)

    def _put(self, rows: list[Row]) -> None:
        by_stage: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            by_stage[row["stage"]].append(row)
        for stage, group in by_stage.items():
            name = f"{stage}/{new_attempt()}.parquet"
            self._store.put_rows(name, group)
            self._rows[stage].extend(group)
            self._names[stage].append(name)

    def _join(self) -> None:
        for stage, names in self._names.items():
            if len(names) > 1:
                rows = sorted(self._rows[stage], key=lambda row: (row["key"], row["attempt"]))
                self._store.put_rows(f"{stage}/{new_attempt()}.parquet", rows)
                for name in names:
                    self._store.delete(name)
