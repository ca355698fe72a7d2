"""Damages a release as somebody would who knows how it is sealed: cells, metadata, then hashes and digests anew."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from hub_card.croissant import distribution
from hub_card.layout import CROISSANT, MANIFEST, SUMS, parquet_path
from hub_card.manifest import dump_json
from hub_card.papers import checksums
from hub_card.parquet import plain_rows, row_digest


def cells(release: Path, config: str, column: str, change: Callable[[list[Any]], None]) -> None:
    """Rewrites one column of a table; `change` works on its stored values in place."""
    file = release / parquet_path(config)
    table = pq.ParquetFile(file).read()
    values = table[column].to_pylist()
    change(values)
    position = table.schema.get_field_index(column)
    changed = table.set_column(
        position, table.schema.field(position), pa.array(values, table.schema.field(position).type)
    )
    pq.write_table(changed, file, compression="zstd")


def manifest(release: Path, change: Callable[[Any], None]) -> None:
    """Rewrites manifest.json."""
    loaded = json.loads((release / MANIFEST).read_text())
    change(loaded)
    (release / MANIFEST).write_text(dump_json(loaded))


def seal(release: Path, config: str | None = None) -> None:
    """Makes hashes, digest and sizes say what the damaged release now is."""
    if config is not None:
        table = pq.ParquetFile(release / parquet_path(config)).read()
        try:
            digest = row_digest(plain_rows(config, table))
        except (IndexError, ValueError):
            digest = "0" * 64
        manifest(release, lambda loaded: loaded["configs"][config].update(rows=table.num_rows, digest=digest))
        old = json.loads((release / CROISSANT).read_text())
        (release / CROISSANT).write_text(dump_json({**old, "distribution": distribution(release)}))
        _resize(release, config)
    (release / SUMS).write_text(checksums(release))


def _resize(release: Path, config: str) -> None:
    size = (release / parquet_path(config)).stat().st_size
    card = (release / "README.md").read_text()
    start = card.index(f"- config_name: {config}\n  features:")
    tail = re.sub(r"download_size: \d+", f"download_size: {size}", card[start:], count=1)
    (release / "README.md").write_text(card[:start] + tail)
