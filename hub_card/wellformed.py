"""Makes texts of rows storable: a server may send half a surrogate pair, which no file can hold."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from schemas.rows import ResponseRow


def wellformed(tables: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
    """The tables with every lone surrogate replaced by U+FFFD; the hash of a response is that of its mended text."""
    return {name: [_mended(row) for row in rows] for name, rows in tables.items()}


def _mended(row: Any) -> Any:
    found: dict[str, str | int] = {}
    for item in fields(row):
        value = getattr(row, item.name)
        if isinstance(value, str) and not value.isascii():
            mended = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            if mended != value:
                found[item.name] = mended
    if isinstance(row, ResponseRow) and "text" in found:
        text = str(found["text"])
        found |= {"sha256": hashlib.sha256(text.encode()).hexdigest(), "characters": len(text)}
    return replace(row, **found) if found else row
