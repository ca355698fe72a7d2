"""Which batches were submitted: on record before anybody waits for them, so that a crash loses none."""

import zlib
from collections.abc import Sequence
from typing import NamedTuple

from builder.journal.store import Journal


class Batch(NamedTuple):
    """A batch under our tag, with the keys whose results are not on record yet.

    Without `batch_id` it was about to be submitted when we last wrote.
    """

    tag: str
    model: str
    keys: tuple[str, ...]
    since: str
    batch_id: str | None


class BatchLedger:
    """The batches of a run."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._db = journal.database

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        with self._journal.guarded("write"):
            self._db.execute(statement, values)

    def intend(self, batch: Batch) -> None:
        """Write down that this batch is about to be submitted."""
        row = (batch.tag, batch.model, _packed(batch.keys), batch.since, batch.batch_id)
        self._write("INSERT INTO batches (tag, model, keys, since, batch_id) VALUES (?, ?, ?, ?, ?)", row)

    def submitted(self, tag: str, batch_id: str) -> None:
        """Write down the provider's id of a batch."""
        self._write("UPDATE batches SET batch_id = ? WHERE tag = ?", (batch_id, tag))

    def read(self, tag: str, left: Sequence[str]) -> None:
        """Write down that the results of a batch are on record but for the keys that are left; with none it ended."""
        if left:
            self._write("UPDATE batches SET keys = ? WHERE tag = ?", (_packed(left), tag))
        else:
            self.ended(tag)

    def ended(self, tag: str) -> None:
        """Write down that nothing more is to be had of a batch."""
        self._write("UPDATE batches SET ended = 1 WHERE tag = ?", (tag,))

    def forget(self, tag: str) -> None:
        """Take back a batch that was never submitted."""
        self._write("DELETE FROM batches WHERE tag = ?", (tag,))

    def open(self, models: Sequence[str]) -> list[Batch]:
        """The batches of these models whose results are not all on record, oldest first."""
        query = "SELECT tag, model, keys, since, batch_id FROM batches WHERE ended = 0 ORDER BY since, tag"
        with self._journal.guarded("read"):
            rows = self._db.execute(query).fetchall()
        found = [
            Batch(tag, model, tuple(self._journal.decoded("batches", tag, keys, str.splitlines)), since, batch_id)
            for tag, model, keys, since, batch_id in rows
        ]
        return [batch for batch in found if batch.model in models]

    def keys_under_way(self, models: Sequence[str]) -> frozenset[str]:
        """The keys whose results open batches of these models may hold."""
        return frozenset(key for batch in self.open(models) for key in batch.keys)

    def known_ids(self) -> set[str]:
        """The provider's ids of all batches on record."""
        with self._journal.guarded("read"):
            return {name for (name,) in self._db.execute("SELECT batch_id FROM batches WHERE batch_id IS NOT NULL")}

    def count(self) -> int:
        """How many batches are on record: makes the next tag a new one."""
        with self._journal.guarded("read"):
            (found,) = self._db.execute("SELECT count(*) FROM batches").fetchone()
        return int(found)


def _packed(keys: Sequence[str]) -> bytes:
    return zlib.compress("\n".join(keys).encode())
