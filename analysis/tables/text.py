"""A table as aligned plain text for the terminal."""

import textwrap
import unicodedata

from .statuses import meaning
from .table import Footnotes, Table, printable, with_mark

WIDTH = 120


def as_text(table: Table) -> str:
    """The table with title, reading, aligned columns, and notes, ending in a newline."""
    notes = Footnotes()
    cells = [[column.head for column in table.columns]]
    cells += [
        [with_mark(cell, column.kind, notes) for cell, column in zip(row, table.columns, strict=True)]
        for row in table.rows
    ]
    widths = [max(map(_width, column)) for column in zip(*cells, strict=True)]
    left = [column.kind == "text" for column in table.columns]
    lines = [_line(row, widths, left) for row in cells]
    rule = "  ".join("-" * width for width in widths)
    title = table.title + (" (exploratory)" if table.exploratory else "")
    below = [f"{letter}: {meaning(status)}" for letter, status in notes] + list(table.notes)
    grid = [lines[0], rule, *lines[1:]] if table.rows else []
    parts = [title, "=" * _width(title), *_wrapped(table.reading), *grid]
    return "\n".join([*parts, *(line for note in below for line in _wrapped(note))]) + "\n"


def _line(row: list[str], widths: list[int], left: list[bool]) -> str:
    padded = [
        cell + " " * (width - _width(cell)) if flush else " " * (width - _width(cell)) + cell
        for cell, width, flush in zip(row, widths, left, strict=True)
    ]
    return "  ".join(padded).rstrip()


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(printable(text), WIDTH)


def _width(text: str) -> int:
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    combining = sum(unicodedata.combining(character) > 0 for character in text)
    return len(text) + wide - combining
