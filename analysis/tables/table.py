"""A table: named columns, cells that are text, numbers or estimates, and what it says in a sentence."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ..metrics.estimate import Estimate

Kind = Literal["text", "count", "percent", "points", "two", "three", "p"]
Cell = str | int | float | Estimate | None

NULL = "–"


class Column(NamedTuple):
    """A column: its stable name in files, its heading for people, and how its numbers are printed."""

    key: str
    head: str
    kind: Kind = "text"


@dataclass(frozen=True, slots=True)
class Table:
    """One table of the report; `reading` is a sentence computed from the data, `exploratory` marks unplanned looks."""

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    reading: str = ""
    notes: tuple[str, ...] = ()
    exploratory: bool = False
    figure: str | None = None
    files_only: bool = False

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.key}: a row of {len(row)} cells for {len(self.columns)} columns")


class Footnotes:
    """Letters for the statuses that occur in a table, in order of appearance."""

    def __init__(self) -> None:
        self._letters: dict[str, str] = {}

    def mark(self, status: str) -> str:
        """The letter of a status; "" for `ok`."""
        if status == "ok":
            return ""
        return self._letters.setdefault(status, chr(ord("a") + len(self._letters)))

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter((letter, status) for status, letter in self._letters.items())


def shown(cell: Cell, kind: Kind) -> str:
    """A cell as people read it: `93.0 [91.3, 94.7]`, `–` for null; never NaN, never a control character."""
    if cell is None:
        return NULL
    if isinstance(cell, str):
        return printable(cell)
    if isinstance(cell, Estimate):
        value = shown(cell.value, kind)
        if cell.value is None or cell.low is None or cell.high is None:
            return value
        return f"{value} [{shown(cell.low, kind)}, {shown(cell.high, kind)}]"
    return number(cell, kind)


def with_mark(cell: Cell, kind: Kind, notes: Footnotes) -> str:
    """A cell as people read it, followed by the letter of its status."""
    mark = notes.mark(cell.status) if isinstance(cell, Estimate) else ""
    return f"{shown(cell, kind)} {mark}".rstrip()


def number(value: float, kind: Kind) -> str:
    """A number printed in the manner of its column; `–` unless finite, infinities spelled `∞`."""
    if value != value:
        return NULL
    if value in (float("inf"), float("-inf")):
        return "∞" if value > 0 else "−∞"
    match kind:
        case "count" | "text":
            return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"
        case "percent":
            return _minus(f"{100 * value:.1f}")
        case "points":
            return _minus(f"{100 * value:+.1f}")
        case "p":
            return "< .001" if value < 0.001 else f"{value:.3f}".removeprefix("0")
        case "two":
            return _minus(f"{value:.2f}")
        case "three":
            return _minus(f"{value:.3f}")


def printable(text: str) -> str:
    """`text` on one line with control, format and private characters replaced by U+FFFD (they can drive a terminal)."""
    return "".join(
        " " if character in "\n\t" else "\ufffd" if unicodedata.category(character)[0] == "C" else character
        for character in text
    )


def _minus(digits: str) -> str:
    if not digits.strip("+-0."):
        return digits.lstrip("+-")
    return digits.replace("-", "−")
