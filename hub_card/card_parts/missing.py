"""What became of every planned record, and where answers are missing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from hub_card.facts import StageCount
from hub_card.markdown import bullets, counted, table
from hub_card.words import in_words
from schemas.vocabulary import HarmLevel, PredictionStatus, ResponseStatus

Rows = Mapping[str, Sequence[Any]]


def missing(tables: Rows, counts: Sequence[StageCount]) -> str:
    """Planned, made and missing by reason for each stage and target, and statuses by level."""
    planned = table(
        ["stage", "target", "planned", "made", "missing, by reason", "unaccounted for"],
        [(c.stage, f"`{c.target}`", c.planned, c.made, _reasons(c.missing), c.unaccounted) for c in counts],
    )
    return "\n\n".join(
        [
            planned,
            "Predictions by level and status (values are null unless `ok`):",
            _by_level(tables, "prediction_status", PredictionStatus),
            "Responses by level and status (only `ok` has a label; nothing else ever becomes one):",
            _by_level(tables, "status", ResponseStatus),
            _redirected(tables),
        ]
    )


def _reasons(reasons: Mapping[str, int]) -> str:
    return "; ".join(f"{count:,} {in_words(reason)}" for reason, count in sorted(reasons.items())) or "none"


def _by_level(tables: Rows, column: str, vocabulary: Any) -> str:
    cells = Counter((row.level, getattr(row, column)) for row in tables["datapoints"])
    used = [status for status in vocabulary if any(cells[level, status] for level in HarmLevel)]
    head = ["level", *(f"`{status}`" for status in used)]
    return table(head, [(int(level), *(cells[level, status] for status in used)) for level in HarmLevel])


def _redirected(tables: Rows) -> str:
    changed = sum(row.substituted for row in tables["responses"])
    wanted = Counter(row.route_reason for row in tables["labels"] if row.route_reason)
    lines = [
        f"{counted(changed, 'response')} came from another model than the one asked for (`responses.substituted`)."
    ]
    if wanted:
        lines.append(f"A person is wanted for {counted(sum(wanted.values()), 'response')}: {_reasons(wanted)}.")
    return bullets(lines)
