"""Reads columns of an Arrow table into arrays, refusing values outside the data contract."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .data import Bools, Coded, DataError, Floats, Ints


def class_names(schema: pa.Schema) -> dict[str, tuple[str, ...]]:
    """Names of the `ClassLabel` columns, from the `huggingface` metadata of a Parquet schema; {} without metadata."""
    stored = (schema.metadata or {}).get(b"huggingface")
    if stored is None:
        return {}
    features: dict[str, Any] = json.loads(stored).get("info", {}).get("features", {})
    return {
        name: tuple(feature["names"])
        for name, feature in features.items()
        if isinstance(feature, dict) and feature.get("_type") == "ClassLabel"
    }


def reject(
    bad: Bools, column: str, values: Sequence[object] | np.ndarray[Any, Any] | pa.ChunkedArray, wanted: str
) -> None:
    """Raises DataError naming the first row where `bad`; rows count from 1."""
    if bad.any():
        row = int(bad.argmax())
        value = values[row]
        found = value.as_py() if isinstance(value, pa.Scalar) else value
        found = None if isinstance(found, float) and np.isnan(found) else found
        shown = "nothing" if found is None else repr(found.item() if isinstance(found, np.generic) else found)
        raise DataError(f"column {column}, row {row + 1}: {shown} found; wanted {wanted} ({int(bad.sum())} such rows)")


def coded(table: pa.Table, name: str, allowed: tuple[str, ...] | None = None, nullable: bool = False) -> Coded:
    """A column of names, stored as strings or as ClassLabel integers.

    `allowed` fixes the names and their order. Raises DataError for a name outside it and for nulls unless `nullable`.
    """
    column = table.column(name)
    if pa.types.is_integer(column.type):
        names = class_names(table.schema).get(name)
        if names is None:
            raise DataError(f"column {name}: integers without names; wanted names, or ClassLabel names in the metadata")
        codes = _filled(column, -1)
        reject((codes < -1) | (codes >= len(names)), name, column, f"a code from 0 to {len(names) - 1}")
    else:
        encoded = pc.dictionary_encode(column.cast(pa.string())).combine_chunks()
        chunk = encoded.chunk(0) if isinstance(encoded, pa.ChunkedArray) else encoded
        names = tuple(chunk.dictionary.to_pylist())
        codes = np.asarray(pc.fill_null(chunk.indices, -1).to_numpy(zero_copy_only=False), dtype=np.int64)
    if not nullable:
        reject(codes < 0, name, column, "a value")
    if allowed is None:
        return _sorted(codes, names)
    position = np.array([allowed.index(known) if known in allowed else -2 for known in names] + [-1], dtype=np.int64)
    recoded = position[codes]
    reject(recoded == -2, name, [names[code] for code in codes] if (recoded == -2).any() else [], " | ".join(allowed))
    return Coded(recoded, allowed)


def integers(table: pa.Table, name: str, low: int, high: int | None = None) -> Ints:
    """A column of integers in [low, high] without nulls."""
    column = table.column(name)
    values = _numbers(table, name)
    wanted = f"an integer from {low} to {high}" if high is not None else f"an integer ≥ {low}"
    bad = np.isnan(values) | (values != np.floor(values)) | (values < low)
    reject(bad | (values > high) if high is not None else bad, name, column, wanted)
    return values.astype(np.int64)


def ratings(table: pa.Table, name: str) -> Floats:
    """A column of 1–5 ratings, NaN for null. Values are never clipped."""
    values = _numbers(table, name)
    bad = ~np.isnan(values) & ~np.isin(values, (1, 2, 3, 4, 5))
    reject(bad, name, table.column(name), "1, 2, 3, 4, 5 or nothing")
    return values


def booleans(table: pa.Table, name: str) -> Floats:
    """A column of true/false (or 1/0) as 1.0 / 0.0, NaN for null."""
    values = _numbers(table, name)
    reject(~np.isnan(values) & ~np.isin(values, (0, 1)), name, table.column(name), "true, false or nothing")
    return values


def _numbers(table: pa.Table, name: str) -> Floats:
    column = table.column(name)
    if pa.types.is_null(column.type):
        return np.full(len(column), np.nan)
    if pa.types.is_string(column.type):
        return _spelled_numbers(column.to_pylist(), name)
    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type) or pa.types.is_boolean(column.type)):
        raise DataError(f"column {name}: {column.type} found; wanted numbers")
    return np.asarray(column.cast(pa.float64()).to_numpy(), dtype=np.float64)


def _spelled_numbers(values: list[str | None], name: str) -> Floats:
    """A CSV column turns to text when one field is no number (or no true/false): this finds the field."""
    words = {"true": 1.0, "false": 0.0}
    known = [None if value is None else words.get(value.strip().lower(), value) for value in values]
    numeric = [value is None or isinstance(value, float) or _is_number(value) for value in known]
    wanted = "true, false or nothing" if any(isinstance(value, float) for value in known) else "a number"
    reject(~np.array(numeric, dtype=np.bool_), name, values, wanted)
    return np.array([np.nan if value is None else float(value) for value in known], dtype=np.float64)


def _is_number(text: str) -> bool:
    return text.strip().lstrip("+-").replace(".", "", 1).isdecimal()


def _filled(column: pa.ChunkedArray, fill: int) -> Ints:
    return np.asarray(pc.fill_null(column.cast(pa.int64()), fill).to_numpy(), dtype=np.int64)


def _sorted(codes: Ints, names: tuple[str, ...]) -> Coded:
    order = sorted(range(len(names)), key=names.__getitem__)
    position = np.empty(len(names) + 1, dtype=np.int64)
    position[order] = np.arange(len(names))
    position[-1] = -1
    return Coded(position[codes], tuple(names[index] for index in order))
