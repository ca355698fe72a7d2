"""One table by itself: schema, class codes, nulls, ranges, digest and number of rows."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from hub_card.checks.cells import Cells
from hub_card.layout import parquet_path
from hub_card.manifest import columns_by_name
from hub_card.parquet import CHUNK, plain_rows, row_digest
from hub_card.problems import Problem
from schemas.rows import TABLES
from schemas.tables import columns_of, features_of

VERSION = "Validate with the toolkit's version named in manifest.json, or build the release again."


class TableCheck(NamedTuple):
    """The problems of one table, and whether its cells can be read as what they should be."""

    problems: list[Problem]
    readable: bool


def check_table(release: Path, config: str, stated: Mapping[str, Any]) -> TableCheck:
    """Checks one table, of which it holds a few thousand rows at a time."""
    file = parquet_path(config)
    try:
        with pq.ParquetFile(release / file) as stored:
            problems = [*_check_schema(config, file, stored.schema_arrow)]
            cells = Cells(file, () if problems else columns_of(TABLES[config]))
            digest = row_digest(plain_rows(config, cells.sound(stored.iter_batches(CHUNK), readable=not problems)))
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        return TableCheck(
            [Problem(file, "", f"not readable as Parquet: {str(error).splitlines()[0].rstrip('.')}")], False
        )
    problems += cells.problems()
    if problems:
        return TableCheck(problems, False)
    return TableCheck([*_check_stated(config, file, cells.rows, digest, stated)], True)


def _check_schema(config: str, file: str, schema: pa.Schema) -> Iterator[Problem]:
    wanted = features_of(TABLES[config]).arrow_schema
    for field in wanted:
        position = schema.get_field_index(field.name)
        if position < 0:
            yield Problem(file, f"column {field.name}", "the column is missing", VERSION)
        elif schema.field(position).type != field.type:
            yield Problem(
                file, f"column {field.name}", f"want {field.type}, got {schema.field(position).type}", VERSION
            )
    for name in schema.names:
        if name not in wanted.names:
            yield Problem(file, f"column {name}", "not a column of this table", VERSION)
    if sorted(schema.names) == sorted(wanted.names) and schema.names != wanted.names:
        yield Problem(file, "", f"columns out of order: want {', '.join(wanted.names)}", VERSION)
    if _features(schema) != _features(wanted):
        yield Problem(file, "metadata huggingface", "its features (class names) are not those of the table", VERSION)


def _features(schema: pa.Schema) -> Any:
    try:
        return json.loads((schema.metadata or {}).get(b"huggingface", b"{}")).get("info", {}).get("features")
    except (json.JSONDecodeError, UnicodeDecodeError, AttributeError):
        return None


def _check_stated(config: str, file: str, rows: int, digest: str, stated: Mapping[str, Any]) -> Iterator[Problem]:
    if stated.get("columns") != columns_by_name(config):
        yield Problem(file, "", "its columns are not those manifest.json states", VERSION)
    if stated.get("rows") != rows:
        yield Problem(file, "", f"{rows} rows, but manifest.json states {stated.get('rows')}")
    if stated.get("digest") != digest:
        yield Problem(file, "", f"the digest of its rows is {digest}, but manifest.json states {stated.get('digest')}")
