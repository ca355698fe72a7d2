"""Classes that a CSV holds as integers, as `datasets` and pandas write them from a release, by name."""

import re

import pyarrow as pa

from .data import ACTUAL_CLASSES, PREDICTION_STATUSES, STATUSES, DataError

TOPICS = (
    "weapons",
    "drugs",
    "hacking",
    "self_harm",
    "hate",
    "fraud",
    "privacy",
    "illegal",
    "manipulation",
    "violence",
)
CLASSES = {"status": STATUSES, "prediction_status": PREDICTION_STATUSES, "actual_class": ACTUAL_CLASSES}
CODE = re.compile(r"(\d+)(?:\.0+)?")
"""A code; pandas writes one as a float where the column has nulls."""


def by_name(table: pa.Table) -> tuple[pa.Table, tuple[str, ...]]:
    """The table with integer classes named in the order of docs/tables.md, and which columns these were.

    Topics are read so only beside another such column: alone, numbers may be somebody's own names of topics. Raises
    DataError for a code beyond the last class.
    """
    found = tuple(name for name in CLASSES if name in table.column_names and _is_codes(table, name))
    if not found:
        return table, ()
    if "topic" in table.column_names and _is_codes(table, "topic"):
        found = (*found, "topic")
    for name in found:
        names = _names(table, name, CLASSES.get(name, TOPICS))
        table = table.set_column(table.schema.get_field_index(name), name, pa.array(names, pa.string()))
    return table, found


def _is_codes(table: pa.Table, name: str) -> bool:
    values = [value for value in table[name].to_pylist() if value is not None]
    return bool(values) and all(CODE.fullmatch(value) for value in values)


def _names(table: pa.Table, name: str, classes: tuple[str, ...]) -> list[str | None]:
    names: list[str | None] = []
    for row, value in enumerate(table[name].to_pylist(), 1):
        code = None if value is None else int(float(value))
        if code is not None and code >= len(classes):
            wanted = ", ".join(f"{number} {known}" for number, known in enumerate(classes))
            raise DataError(f"column {name}, row {row}: {value} found; wanted a name or its number: {wanted}")
        names.append(None if code is None else classes[code])
    return names
