"""The summary of a report for machines: every estimate with interval, n, status and method, in a stable schema."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .metrics.estimate import Estimate
from .sources import Source
from .study import Study
from .tables.table import Cell, Table

SCHEMA = "refusal-foresight/analysis-summary/1"


@dataclass(frozen=True, slots=True)
class Summary:
    """What `summary.json` holds; `tables[key]` is a list of rows, one mapping from column key to value a row."""

    schema: str
    source: str
    settings: dict[str, Any]
    targets: list[str]
    n_rows: int
    n_used: int
    tables: dict[str, list[dict[str, Any]]]

    def as_json(self) -> str:
        """The summary as JSON; undefined values are null, never NaN."""
        return json.dumps(asdict(self), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def summarised(source: Source, study: Study, tables: Sequence[Table]) -> Summary:
    """The summary of a study and its tables."""
    return Summary(
        schema=SCHEMA,
        source=source.name,
        settings=asdict(study.settings) | {"coding": study.settings.coding.name},
        targets=study.names,
        n_rows=study.data.n_rows,
        n_used=int(sum(target.used.sum() for target in study.targets)),
        tables={table.key: _rows(table) for table in tables},
    )


def _rows(table: Table) -> list[dict[str, Any]]:
    keys = [column.key for column in table.columns]
    return [{key: _plain(cell) for key, cell in zip(keys, row, strict=True)} for row in table.rows]


def _plain(cell: Cell) -> Any:
    if isinstance(cell, Estimate):
        return asdict(cell)
    if isinstance(cell, float) and not math.isfinite(cell):
        return None if math.isnan(cell) else str(cell)
    return cell
