"""Tables as Parquet files and back, and the digest of their rows that does not depend on how Parquet stores them."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from hub_card.layout import parquet_path
from hub_card.metadata import TableSize
from hub_card.table_bytes import TableBytes
from schemas.key import canonical_json
from schemas.rows import TABLES
from schemas.tables import columns_of, schema_of

if TYPE_CHECKING:
    import datasets

CHUNK = 10_000


class TableWriter:
    """Writes the rows of a config into its Parquet file; the pieces in which they come leave no trace in its bytes."""

    def __init__(self, release: Path, config: str) -> None:
        self._file = release / parquet_path(config)
        self._file.parent.mkdir(parents=True, exist_ok=True)
        schema = schema_of(TABLES[config])
        self._writer = pq.ParquetWriter(self._file, schema, compression="zstd")
        self._bytes = TableBytes(schema)
        self._waiting = schema.empty_table()
        self.rows = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._writer.close()

    def append(self, piece: pa.Table) -> None:
        """Write these rows after the ones before, in row groups of `CHUNK`; what is left of them waits for more."""
        self._bytes.add(piece)
        self.rows += piece.num_rows
        self._waiting = pa.concat_tables([self._waiting, piece])
        full = self._waiting.num_rows // CHUNK * CHUNK
        for start in range(0, full, CHUNK):
            self._write(self._waiting.slice(start, CHUNK))
        self._waiting = self._waiting.slice(full)

    def finish(self) -> TableSize:
        """Write what waits and close the file; returns its size."""
        self._write(self._waiting)
        self._writer.close()
        return TableSize(self.rows, self._bytes.total, self._file.stat().st_size)

    def _write(self, table: pa.Table) -> None:
        if table.num_rows:  # a row group without rows breaks the streaming of `datasets`; none at all does not
            self._writer.write_table(table.combine_chunks())


def read_table(file: Path) -> pa.Table:
    """The table in a Parquet file, with the schema stored in it. Raises pa.ArrowException or OSError if unreadable."""
    return pq.ParquetFile(file).read()


def stored_batches(file: Path, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
    """The rows of a Parquet file (only some columns of them), in order, a row group at a time."""
    with pq.ParquetFile(file) as stored:
        yield from stored.iter_batches(CHUNK, columns=None if columns is None else list(columns))


def plain_rows(config: str, source: pa.Table | Iterable[pa.RecordBatch]) -> Iterator[dict[str, Any]]:
    """The rows of a config (or some columns of them) as plain values, classes by name."""
    batches = source.to_batches(max_chunksize=CHUNK) if isinstance(source, pa.Table) else source
    classes = {column.name: column.class_names for column in columns_of(TABLES[config]) if column.class_names}
    for batch in batches:
        named = [(name, classes[name]) for name in batch.schema.names if name in classes]
        for row in batch.to_pylist():
            for name, names in named:
                if row[name] is not None:
                    row[name] = names[row[name]]
            yield row


def row_digest(rows: Iterator[dict[str, Any]]) -> str:
    """The canonical digest of rows: SHA-256 over one line of canonical JSON a row, in order, classes by name.

    Whatever wrote or compressed the Parquet file, the same rows have the same digest.
    """
    digest = hashlib.sha256()
    for row in rows:
        digest.update(canonical_json(row).encode())
        digest.update(b"\n")
    return digest.hexdigest()


def features(config: str) -> "datasets.Features":
    """The features of a config, from its row type."""
    from schemas.tables import features_of

    return features_of(TABLES[config])
