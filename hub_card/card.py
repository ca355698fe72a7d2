"""The card of a release (README.md): its metadata, and below it what is computed from the rows."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hub_card.facts import ReleaseFacts, Report
from hub_card.layout import CARD


def write_card(
    release: Path, front: str, tables: Mapping[str, Sequence[Any]], facts: ReleaseFacts, report: Report
) -> None:
    """Writes the card; `front` is its YAML block, `tables` are the rows as published."""
    rows = "\n".join(f"- `{name}`: {len(found)} rows" for name, found in tables.items())
    text = f"{front}\n# {facts.title} {facts.version}\n\n{rows}\n"
    (release / CARD).write_text(text, encoding="utf-8", newline="")
