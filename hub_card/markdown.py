"""Markdown of computed values: tables, counts in words, estimates with their interval."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analysis.tables.statuses import meaning
from schemas.printable import one_line

NOTHING = "–"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; cells are shown by `shown`. Without rows: a line that says so."""
    body = [[shown(cell) for cell in row] for row in rows]
    if not body:
        return "(no rows)"
    lines = [list(head), ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def shown(cell: object) -> str:
    """A cell for people: an estimate (a mapping with `value`) with interval and n, `–` for nothing, `|` escaped."""
    if cell is None:
        return NOTHING
    if isinstance(cell, Mapping):
        return estimate(cell) if "value" in cell else inline(", ".join(f"{k} {shown(v)}" for k, v in cell.items()))
    if isinstance(cell, float):
        return f"{cell:.3g}"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:,}" if isinstance(cell, int) else inline(str(cell))


def inline(text: str) -> str:
    """A text that stays in its table cell, opens no HTML and has no character that acts on a terminal."""
    return one_line(text).replace("|", "\\|").replace("<", "&lt;")


def code(text: str) -> str:
    """A text from outside in code font; a backtick in it, which would end that, becomes an apostrophe."""
    inside = one_line(text).replace("`", "'")
    return f"`{inside}`"


def estimate(found: Mapping[str, Any]) -> str:
    """`0.93 [0.913, 0.947], n = 900`; without a value the reason there is none."""
    n = f", n = {found['n']:,}" if found.get("n") is not None else ""
    if found["value"] is None:
        return f"{NOTHING} ({inline(meaning(str(found.get('status', 'undefined'))))}{n})"
    low, high = found.get("low"), found.get("high")
    between = "" if low is None or high is None else f" [{shown(low)}, {shown(high)}]"
    return f"{shown(found['value'])}{between}{n}"


def share(part: int, whole: int) -> str:
    """`12 of 48 (25 %)`: a share never travels without what it is a share of."""
    return f"{part:,} of {whole:,} ({100 * part / whole:.0f} %)" if whole else f"{part:,} of 0"


def bullets(lines: Iterable[str]) -> str:
    """A list."""
    return "\n".join(f"- {line}" for line in lines)


def counted(n: int, noun: str) -> str:
    """`1 row`, `2 rows`."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
