"""How many bytes the rows of a table take in memory as one Arrow table, counted piece by piece."""

from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

OFFSET = 4


@dataclass(slots=True)
class ColumnBytes:
    """The values of a column seen so far: `data` bytes of text, and the items of lists."""

    kind: pa.DataType
    values: int = 0
    nulls: int = 0
    data: int = 0
    items: "ColumnBytes | None" = field(default=None)

    def add(self, array: pa.Array) -> None:
        """Count these values."""
        self.values += len(array)
        self.nulls += array.null_count
        if pa.types.is_string(self.kind):
            self.data += pc.sum(pc.binary_length(array)).as_py() or 0
        elif pa.types.is_list(self.kind):
            if self.items is None:
                self.items = ColumnBytes(self.kind.value_type)
            self.items.add(array.flatten())

    @property
    def total(self) -> int:
        """Bytes of values, offsets and, if there are nulls, of the bits that tell them."""
        bits = -(-self.values // 8)
        marks = bits if self.nulls else 0
        if pa.types.is_string(self.kind):
            return marks + OFFSET * self.values + self.data
        if pa.types.is_list(self.kind):
            return marks + OFFSET * self.values + (self.items.total if self.items else 0)
        return marks + (bits if pa.types.is_boolean(self.kind) else self.values * self.kind.bit_width // 8)


class TableBytes:
    """The bytes of a growing table."""

    def __init__(self, schema: pa.Schema) -> None:
        self._columns = [ColumnBytes(column.type) for column in schema]

    def add(self, table: pa.Table) -> None:
        """Count the rows of a piece."""
        for column, values in zip(self._columns, table.columns, strict=True):
            for chunk in values.chunks:
                column.add(chunk)

    @property
    def total(self) -> int:
        """What `nbytes` of all pieces as one table would say."""
        return sum(column.total for column in self._columns)
