"""Rows as the checks see them: numbered as in their file, and found again by a key."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

Row = Mapping[str, Any]
Key = tuple[Any, ...]
TRIAL = ("target", "variant_id", "sample")


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of one table with their numbers in it, from 1."""

    rows: Sequence[Row] = ()
    numbers: Sequence[int] = ()

    @classmethod
    def whole(cls, rows: Sequence[Row]) -> Self:
        """All rows of a table."""
        return cls(rows, range(1, len(rows) + 1))

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def numbered(self) -> Iterator[tuple[int, Row]]:
        """Each row after its number."""
        return zip(self.numbers, self.rows, strict=True)


class Part:
    """Some rows of tables, and with them all rows that they are held against.

    `part[config]` are the rows to check, none for a table that is not in the part. `shared` is a part in which every
    part may look rows up.
    """

    def __init__(self, rows: Mapping[str, Rows], shared: "Part | None" = None) -> None:
        self._rows, self._shared = rows, shared
        self._found: dict[tuple[str, tuple[str, ...]], dict[Key, Row]] = {}

    def __getitem__(self, config: str) -> Rows:
        return self._rows.get(config, Rows())

    def by(self, config: str, key: tuple[str, ...]) -> Mapping[Key, Row]:
        """The rows of a table of this part or the shared one by their key, the last of those that share it."""
        if config not in self._rows and self._shared is not None:
            return self._shared.by(config, key)
        if (config, key) not in self._found:
            self._found[config, key] = {key_in(row, key): row for row in self[config]}
        return self._found[config, key]


def key_in(row: Row, names: Sequence[str]) -> Key:
    """The values of these columns."""
    return tuple([row[name] for name in names])
