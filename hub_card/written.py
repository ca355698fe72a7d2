"""The tables of a release as they are being written: appended piece by piece, searched for echoes, digested."""

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from hub_card.echoes import Echoes
from hub_card.layout import CONFIGS, parquet_path
from hub_card.metadata import TableSize
from hub_card.parquet import TableWriter, plain_rows, row_digest, stored_batches
from hub_card.prepared import Prepared
from hub_card.redact import MARKER, is_marker, withhold

T = TypeVar("T")
R = TypeVar("R")
Each = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
DERIVED = {
    "predictions": ("text", "reason"),
    "judgments": ("evidence", "reason"),
    "annotations": ("note",),
    "labels": ("route_reason",),
    "attempts": ("error", "stop_reason"),
    "responses": ("stop_reason",),
    "datapoints": ("route_reason",),
}
WITHHOLDING = {
    "datapoints": ("response",),
    "responses": ("text",),
    "predictions": ("text", "reason"),
    "judgments": ("evidence", "reason"),
    "annotations": ("note",),
}


def write_tables(pieces: Iterable[Prepared], release: Path, withheld: Path) -> dict[str, TableSize]:
    """Writes all pieces into the Parquet files of `release` in their order, and what they withhold into `withheld`."""
    with ExitStack() as stack:
        writers = {config: stack.enter_context(TableWriter(release, config)) for config in CONFIGS}
        private = stack.enter_context(withheld.open("wb"))
        for piece in pieces:
            for config, table in piece.tables.items():
                writers[config].append(table)
            if piece.withheld:
                pickle.dump(list(piece.withheld), private, pickle.HIGHEST_PROTOCOL)
        return {config: writer.finish() for config, writer in writers.items()}


def echoes_of(release: Path, withheld: Path) -> Echoes:
    """Finds pieces of the texts in `withheld`, apart from what the tables of `release` publish by rule."""
    return Echoes(partial(_pickled, withheld), partial(_published, release))


def withhold_echoes(release: Path, echoes: Echoes) -> dict[str, TableSize]:
    """Withholds every derived cell that holds a piece of a withheld text; returns the size of the tables that had any.

    Those tables are written again.
    """
    sizes = {}
    for config, columns in DERIVED.items():
        found = echoes.among(_distinct(release, config, columns))
        if found:
            sizes[config] = _rewritten(release, config, columns, {text: withhold(text) for text in found})
    return sizes


def digests_of(release: Path, each: Each = map) -> dict[str, str]:
    """The digest of the rows of every table; `each` may compute several at a time."""
    return dict(zip(CONFIGS, each(partial(_digest, release), CONFIGS), strict=True))


def count_withheld(release: Path) -> dict[str, int]:
    """How many cells of each column that redaction touches are markers."""
    found = {}
    for config, columns in WITHHOLDING.items():
        for column in columns:
            batches = stored_batches(release / parquet_path(config), [column])
            found[f"{config}.{column}"] = sum(_markers(batch.column(0)) for batch in batches)
    return found


def _markers(values: pa.Array) -> int:
    return pc.sum(pc.starts_with(values, MARKER)).as_py() or 0


def _digest(release: Path, config: str) -> str:
    return row_digest(plain_rows(config, stored_batches(release / parquet_path(config))))


def _pickled(file: Path) -> Iterator[str]:
    with file.open("rb") as stream:
        end = file.stat().st_size
        while stream.tell() < end:
            yield from pickle.load(stream)  # noqa: S301 - written by this process, a moment ago


def _published(release: Path) -> Iterator[str]:
    """What is public by rule: the texts that were sent, and the responses that are kept."""
    for config in ("requests", "variants"):
        for batch in stored_batches(release / parquet_path(config), ["text"]):
            yield from batch.column(0).to_pylist()
    for batch in stored_batches(release / parquet_path("responses"), ["text", "redacted"]):
        kept = pc.and_(pc.is_valid(batch["text"]), pc.invert(batch["redacted"]))
        yield from batch["text"].filter(kept).to_pylist()


def _distinct(release: Path, config: str, columns: Iterable[str]) -> Iterator[str]:
    for batch in stored_batches(release / parquet_path(config), list(columns)):
        for values in batch.columns:
            yield from (text for text in pc.unique(values).to_pylist() if text and not is_marker(text))


def _rewritten(release: Path, config: str, columns: Iterable[str], instead: Mapping[str, str | None]) -> TableSize:
    file = release / parquet_path(config)
    before = file.with_suffix(".before")
    file.rename(before)
    with TableWriter(release, config) as writer:
        for batch in stored_batches(before):
            table = pa.Table.from_batches([batch])
            for column in columns:
                cells = [instead.get(text, text) for text in table[column].to_pylist()]
                place = table.schema.get_field_index(column)
                table = table.set_column(place, table.schema.field(place), pa.array(cells, pa.string()))
            writer.append(table)
        size = writer.finish()
    before.unlink()
    return size
