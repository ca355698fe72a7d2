"""Table schemas derived from the row types, in one place: plain columns, Arrow schema and `datasets.Features`."""

from collections.abc import Sequence
from dataclasses import fields
from enum import StrEnum
from functools import cache
from types import NoneType
from typing import TYPE_CHECKING, Any, NamedTuple, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    import datasets
    import pyarrow as pa

SCALARS = {str: "string", bool: "bool", float: "float64"}


class Column(NamedTuple):
    """One column: its storage type (`string`, `int8`, …), class names if categorical, list or not, null or not."""

    name: str
    dtype: str
    class_names: tuple[str, ...] = ()
    is_list: bool = False
    nullable: bool = False


@cache
def columns_of(row_type: type) -> tuple[Column, ...]:
    """The columns of a row dataclass, in field order.

    Raises TypeError for a field whose type has no table form.
    """
    hints = get_type_hints(row_type, include_extras=True)
    return tuple(_column(item.name, hints[item.name]) for item in fields(row_type))


def features_of(row_type: type) -> "datasets.Features":
    """The `datasets.Features` of a row type; categorical columns are `ClassLabel`s."""
    import datasets

    columns: dict[str, Any] = {}
    for column in columns_of(row_type):
        names = list(column.class_names)
        feature = datasets.ClassLabel(names=names) if names else datasets.Value(column.dtype)
        columns[column.name] = datasets.List(feature) if column.is_list else feature
    return datasets.Features(columns)


@cache
def schema_of(row_type: type) -> "pa.Schema":
    """The Arrow schema of a row type, which carries the Features in its metadata."""
    return features_of(row_type).arrow_schema


def arrow_table(row_type: type, rows: Sequence[object]) -> "pa.Table":
    """Rows as an Arrow table in the row type's schema."""
    import pyarrow as pa

    schema = schema_of(row_type)
    arrays = [_array(column, rows, schema.field(column.name).type) for column in columns_of(row_type)]
    return pa.Table.from_arrays(arrays, schema=schema)


def _array(column: Column, rows: Sequence[object], arrow_type: "pa.DataType") -> "pa.Array[Any]":
    import pyarrow as pa

    values = [getattr(row, column.name) for row in rows]
    if column.class_names:
        codes = {name: code for code, name in enumerate(column.class_names)}
        values = [None if value is None else codes[value] for value in values]
    return pa.array(values, type=arrow_type)


def _column(name: str, hint: Any) -> Column:
    alternatives = [kind for kind in get_args(hint) if kind is not NoneType]
    nullable = NoneType in get_args(hint)
    kind = alternatives[0] if nullable else hint
    if get_origin(kind) is list:
        (item,) = get_args(kind)
        return Column(name, SCALARS[item], is_list=True, nullable=nullable)
    if hasattr(kind, "__metadata__"):
        return Column(name, kind.__metadata__[0], nullable=nullable)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return Column(name, "int64", tuple(member.value for member in kind), nullable=nullable)
    if kind in SCALARS:
        return Column(name, SCALARS[kind], nullable=nullable)
    raise TypeError(f"column {name}: no table type for {hint!r}")
