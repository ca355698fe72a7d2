"""Makes texts of rows storable: a server may send half a surrogate pair, which no file can hold."""

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

from schemas.rows import ResponseRow
from schemas.tables import columns_of


def wellformed(rows: Iterable[Any]) -> list[Any]:
    """The rows with every lone surrogate replaced by U+FFFD; the hash of a response is that of its mended text."""
    return [_mended(row) for row in rows]


def _mended(row: Any) -> Any:
    found: dict[str, str | int] = {}
    kind: type = type(row)
    for name in _text_columns(kind):
        value = getattr(row, name)
        if value is not None and not value.isascii():
            mended = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            if mended != value:
                found[name] = mended
    if isinstance(row, ResponseRow) and "text" in found:
        text = str(found["text"])
        found |= {"sha256": hashlib.sha256(text.encode()).hexdigest(), "characters": len(text)}
    return replace(row, **found) if found else row


@cache
def _text_columns(row_type: type) -> tuple[str, ...]:
    return tuple(column.name for column in columns_of(row_type) if column.dtype == "string" and not column.is_list)
