"""The cells of one table, looked at batch by batch: nulls, class codes, ranges and lists."""

import math
from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from hub_card.problems import Broken, Check, Collected, Problem
from schemas.tables import Column

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


class Cells:
    """The first cell of each column that is null or out of range, and lists with such items; rows are counted."""

    def __init__(self, file: str, columns: Sequence[Column]) -> None:
        self.rows = 0
        self._file, self._columns = file, columns
        self._nulls: dict[str, Problem] = {}
        self._outside: dict[str, Problem] = {}
        self._lists = {column.name: Collected() for column in columns if column.is_list}

    def sound(self, batches: Iterable[pa.RecordBatch], *, readable: bool = True) -> Iterator[pa.RecordBatch]:
        """Passes batches on until one holds a wrong cell, and looks at the others too.

        Raises pa.ArrowException for a batch that is none.
        """
        for batch in batches:
            batch.validate(full=True)
            for column in self._columns:
                self._look(column, batch[column.name])
            self.rows += batch.num_rows
            readable = readable and not self.problems()
            if readable:
                yield batch

    def problems(self) -> list[Problem]:
        """What is wrong so far, by column."""
        return [problem for column in self._columns for problem in self._problems(column.name)]

    def _problems(self, name: str) -> Iterator[Problem]:
        yield from (found[name] for found in (self._nulls, self._outside) if name in found)
        if name in self._lists:
            yield from self._lists[name].problems()

    def _look(self, column: Column, values: pa.Array) -> None:
        name, place = column.name, f"column {column.name}, row"
        if not column.nullable and values.null_count and name not in self._nulls:
            row = self.rows + pc.index(pc.is_null(values), True).as_py() + 1
            self._nulls[name] = Problem(self._file, f"{place} {row}", "null where a value is wanted")
        if column.is_list:
            self._lists[name].add([Check(self._file, _wrong_items(name, values, self.rows + 1))])
            return
        limits = _limits(column)
        if limits is None or name in self._outside:
            return
        low, high = limits
        outside = pc.invert(pc.and_(pc.greater_equal(values, low), pc.less_equal(values, high)))
        if pc.any(outside).as_py():
            row = pc.index(outside, True).as_py()
            rule = f"{values[row].as_py()} is out of range: want {low} to {high}"
            self._outside[name] = Problem(self._file, f"{place} {self.rows + row + 1}", rule)


def _limits(column: Column) -> tuple[float, float] | None:
    if column.class_names:
        return 0, len(column.class_names) - 1
    return (0, math.inf) if column.name in COUNTS else RANGES.get(column.name)


def _wrong_items(name: str, values: pa.Array, first: int) -> Iterator[Broken]:
    for row, items in enumerate(values.to_pylist(), first):
        for item in items or ():
            if item is None or (isinstance(item, float) and not 0 <= item <= 1):
                found = "nothing" if item is None else item
                yield Broken(row, name, f"{found} in a list: want values, shares between 0 and 1")
