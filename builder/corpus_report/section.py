"""A chapter of the report: what a person reads and what a program reads, built from the same values."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

Cell = str | int | float | None
Data = dict[str, object]


class Table(NamedTuple):
    """Rows under a heading; floats are shown to three digits (from 2 on to one), None as a dash."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


class Section(NamedTuple):
    """A chapter: its paragraphs and tables for the page, its `data` for the JSON file under `key`."""

    key: str
    title: str
    paragraphs: tuple[str, ...]
    tables: tuple[Table, ...]
    data: Data


class Spread(NamedTuple):
    """Where values lie; all but `n` are None if there is none."""

    n: int
    lowest: float | None
    low: float | None
    median: float | None
    high: float | None
    highest: float | None


SPREAD_HEAD = ("n", "min", "p5", "median", "p95", "max")


def spread(values: ArrayLike) -> Spread:
    """Number, minimum, 5th, 50th and 95th percentile, maximum."""
    found = np.asarray(values, dtype=float)
    if not found.size:
        return Spread(0, None, None, None, None, None)
    return Spread(int(found.size), *(rounded(value) for value in np.percentile(found, [0, 5, 50, 95, 100])))


def rounded(value: float) -> float:
    """To four digits: what is printed and stored, so that the last bits of a sum never show."""
    return round(float(value), 4) + 0.0


def records(head: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[dict[str, Cell]]:
    """The rows of a table as JSON objects."""
    return [dict(zip(head, row, strict=True)) for row in rows]
