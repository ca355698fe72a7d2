"""Tables as Parquet files and back, and the digest of their rows that does not depend on how Parquet stores them."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from hub_card.layout import parquet_path
from schemas.key import canonical_json
from schemas.rows import TABLES
from schemas.tables import arrow_table, columns_of

if TYPE_CHECKING:
    import datasets

CHUNK = 10_000


def write_table(release: Path, config: str, rows: Sequence[object]) -> pa.Table:
    """Writes the rows of a config into its Parquet file and returns them as the table that was written."""
    table = arrow_table(TABLES[config], rows)
    file = release / parquet_path(config)
    file.parent.mkdir(parents=True, exist_ok=True)
    with pq.ParquetWriter(file, table.schema, compression="zstd") as writer:
        if table.num_rows:  # a row group without rows breaks the streaming of `datasets`; none at all does not
            writer.write_table(table, row_group_size=CHUNK)
    return table


def read_table(file: Path) -> pa.Table:
    """The table in a Parquet file, with the schema stored in it. Raises pa.ArrowException or OSError if unreadable."""
    return pq.ParquetFile(file).read()


def plain_rows(config: str, table: pa.Table) -> Iterator[dict[str, Any]]:
    """The rows of a config as plain values, classes by name."""
    names = {column.name: column.class_names for column in columns_of(TABLES[config]) if column.class_names}
    for batch in table.to_batches(max_chunksize=CHUNK):
        for row in batch.to_pylist():
            for name, classes in names.items():
                if row[name] is not None:
                    row[name] = classes[row[name]]
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
