"""Tables that are too large to hold, in parts of which each has all rows of its trials, or of its keys."""

import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from hub_card.checks.rows import Part, Rows
from hub_card.layout import parquet_path
from hub_card.parquet import plain_rows, stored_batches

Hashes = npt.NDArray[np.uint64]
Keys = Mapping[str, Sequence[str]]
Columns = Mapping[str, Sequence[str]]
ROWS = 100_000
GATHERED = 20_000
NUMBER = "number"
FACTOR = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(32)
WRITING = pa.ipc.IpcWriteOptions(compression="lz4")


def whole(release: Path, configs: Iterable[str]) -> Part:
    """All rows of these tables."""
    return Part({config: Rows.whole(list(_stored_rows(release, config))) for config in configs})


def parts(release: Path, keys: Keys, shared: Part, columns: Columns | None = None, rows: int = ROWS) -> Iterator[Part]:
    """Parts of about `rows` rows of the tables in `keys`: rows with the same values in a table's keys are in one part.

    Keys stand in the same order for every table; `columns` may leave some out of a table. One part is read from the
    release; several wait in files in the directory for temporary files, half the size of the release or less.
    """
    columns = columns or {}
    total = sum(pq.read_metadata(release / parquet_path(config)).num_rows for config in keys)
    count = -(-total // rows)
    if count <= 1:
        found = {config: Rows.whole(list(_stored_rows(release, config, columns.get(config)))) for config in keys}
        yield Part(found, shared)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for config, names in keys.items():
            batches = stored_batches(release / parquet_path(config), columns.get(config))
            _write_parts(batches, names, [folder / f"{config}-{number}" for number in range(count)])
        for number in range(count):
            yield Part({config: _taken(config, folder / f"{config}-{number}") for config in keys}, shared)


def _stored_rows(release: Path, config: str, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    return plain_rows(config, stored_batches(release / parquet_path(config), columns))


def _write_parts(batches: Iterable[pa.RecordBatch], keys: Sequence[str], files: Sequence[Path]) -> None:
    writers: list[pa.ipc.RecordBatchStreamWriter] = []
    try:
        for table in _numbered(batches):
            if not writers:
                writers += [pa.ipc.new_stream(str(file), table.schema, options=WRITING) for file in files]
            part = hashes([table[key] for key in keys]) % np.uint64(len(files))
            order = np.argsort(part, kind="stable")
            sorted_rows = table.take(pa.array(order)).combine_chunks()
            ends = np.searchsorted(part[order], np.arange(len(files) + 1, dtype=np.uint64))
            for writer, start, end in zip(writers, ends[:-1].tolist(), ends[1:].tolist(), strict=True):
                if end > start:
                    writer.write_table(sorted_rows.slice(start, end - start))
    finally:
        for writer in writers:
            writer.close()


def _numbered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    waiting: list[pa.RecordBatch] = []
    first = 1

    def gathered() -> pa.Table:
        table = pa.Table.from_batches(waiting)
        return table.append_column(NUMBER, pa.array(np.arange(first, first + table.num_rows)))

    for batch in batches:
        waiting.append(batch)
        if sum(one.num_rows for one in waiting) >= GATHERED:
            table = gathered()
            yield table
            first += table.num_rows
            waiting = []
    if waiting:
        yield gathered()


def hashes(columns: Sequence[pa.ChunkedArray]) -> Hashes:
    """One hash a row of its values in all these columns (texts or whole numbers); equal values, equal hashes."""
    found = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        found = (found ^ _numbers(column)) * FACTOR
        found ^= found >> SHIFT
    return found


def _numbers(column: pa.ChunkedArray) -> Hashes:
    if not pa.types.is_string(column.type):
        return np.asarray(column.to_numpy(), dtype=np.uint64)
    coded = pc.dictionary_encode(column).combine_chunks()
    known = [zlib.crc32(text.encode()) for text in coded.dictionary.to_pylist()]
    return np.asarray(np.array(known, dtype=np.uint64)[coded.indices.to_numpy()])


def _taken(config: str, file: Path) -> Rows:
    if not file.exists():
        return Rows()
    with pa.ipc.open_stream(str(file)) as stream:
        table = stream.read_all()
    file.unlink()
    return Rows(list(plain_rows(config, table.drop_columns([NUMBER]))), table[NUMBER].to_pylist())
