"""One table by itself: schema, class codes, nulls, ranges, digest and number of rows."""

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from hub_card.layout import parquet_path
from hub_card.manifest import columns_by_name
from hub_card.parquet import plain_rows, read_table, row_digest
from hub_card.problems import Problem, first_of
from schemas.rows import TABLES
from schemas.tables import Column, columns_of, features_of

RANGES: dict[str, tuple[float, float]] = {
    "level": (1, 5),
    "confidence": (1, 5),
    "harm_rating": (1, 5),
    "attempt": (1, math.inf),
    "bin_probability": (0, 1),
    "inclusion_probability": (0, 1),
}
COUNTS = frozenset(
    {"variant", "sample", "refusals", "outcomes", "votes", "characters"}
    | {"input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens"}
)
VERSION = "Validate with the toolkit's version named in manifest.json, or build the release again."


def check_table(release: Path, config: str, stated: Mapping[str, Any]) -> tuple[list[Problem], pa.Table | None]:
    """The problems of one table, and the table if its cells can be read as what they should be."""
    file = parquet_path(config)
    try:
        table = read_table(release / file)
        table.validate(full=True)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        return [Problem(file, "", f"not readable as Parquet: {str(error).splitlines()[0]}")], None
    problems = [*_check_schema(config, file, table.schema)]
    if not problems:
        problems = [problem for column in columns_of(TABLES[config]) for problem in _check_column(file, column, table)]
    if problems:
        return problems, None
    return [*_check_stated(config, file, table, stated)], table


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


def _check_column(file: str, column: Column, table: pa.Table) -> Iterator[Problem]:
    values = table[column.name]
    place = f"column {column.name}"
    if not column.nullable and values.null_count:
        row = pc.index(pc.is_null(values), True).as_py() + 1
        yield Problem(file, f"{place}, row {row}", "null where a value is wanted")
    if column.is_list:
        yield from _check_list(file, column, values)
        return
    low, high = (0, len(column.class_names) - 1) if column.class_names else RANGES.get(column.name, (None, None))
    if column.name in COUNTS:
        low, high = 0, math.inf
    if low is None or high is None:
        return
    outside = pc.invert(pc.and_(pc.greater_equal(values, low), pc.less_equal(values, high)))
    if pc.any(outside).as_py():
        row = pc.index(outside, True).as_py()
        rule = f"{values[row].as_py()} is out of range: want {low} to {high}"
        yield Problem(file, f"{place}, row {row + 1}", rule)


def _check_list(file: str, column: Column, values: pa.ChunkedArray) -> Iterator[Problem]:
    def broken() -> Iterator[tuple[str, str]]:
        for row, items in enumerate(values.to_pylist(), 1):
            for item in items or ():
                if item is None or (isinstance(item, float) and not 0 <= item <= 1):
                    found = "nothing" if item is None else item
                    yield f"column {column.name}, row {row}", f"{found} in a list: want values, shares between 0 and 1"

    yield from first_of(file, broken())


def _check_stated(config: str, file: str, table: pa.Table, stated: Mapping[str, Any]) -> Iterator[Problem]:
    if stated.get("columns") != columns_by_name(config):
        yield Problem(file, "", "its columns are not those manifest.json states", VERSION)
    if stated.get("rows") != table.num_rows:
        yield Problem(file, "", f"{table.num_rows} rows, but manifest.json states {stated.get('rows')}")
    digest = row_digest(plain_rows(config, table))
    if stated.get("digest") != digest:
        yield Problem(file, "", f"the digest of its rows is {digest}, but manifest.json states {stated.get('digest')}")
