"""Writes a report's files, each in one step, so that an interrupted run leaves no half-written file."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..figures.style import Drawing
from ..tables.files import as_csv, as_latex
from ..tables.table import Table


def write_report(
    out: Path, html: str, summary_json: str, tables: Sequence[Table], figures: Mapping[str, Drawing]
) -> None:
    """Writes `report.html`, `summary.json`, `tables/*.csv|tex` and `figures/*.svg|png` under `out`.

    Files of an earlier report in `tables/` and `figures/` are removed. Raises OSError when `out` cannot be written.
    """
    for folder, patterns in (("tables", ("*.csv", "*.tex")), ("figures", ("*.svg", "*.png"))):
        (out / folder).mkdir(parents=True, exist_ok=True)
        for pattern in patterns:
            for stale in (out / folder).glob(pattern):
                stale.unlink()
    for table in tables:
        _replace(out / "tables" / f"{table.key}.csv", as_csv(table).encode())
        _replace(out / "tables" / f"{table.key}.tex", as_latex(table).encode())
    for key, figure in figures.items():
        _replace(out / "figures" / f"{key}.svg", figure.svg.encode())
        _replace(out / "figures" / f"{key}.png", figure.png)
    _replace(out / "summary.json", summary_json.encode())
    _replace(out / "report.html", html.encode())


def _replace(path: Path, content: bytes) -> None:
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(content)
    part.replace(path)
