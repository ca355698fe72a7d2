"""Computes a report: from a loaded table to sections, figures, summary and files."""

from pathlib import Path

from .figures.draw import draw
from .document.contents import sections
from .document.page import Section, page
from .document.write import write_report
from .sources import Source, load
from .study import Settings, Study, study
from .summary import Summary, summarised
from .tables.table import Table


def run(path: Path, out: Path, *, settings: Settings | None = None, revision: str | None = None) -> Summary:
    """Analyses the dataset at `path`, writes the report under `out`, and returns the summary it wrote.

    Raises DataError if the input breaks the data contract, OSError if `out` cannot be written.
    """
    source = load(str(path), revision)
    return report(source, out, settings or Settings())


def report(source: Source, out: Path, settings: Settings) -> Summary:
    """Writes the report of a loaded table under `out`."""
    about = study(source.data, settings)
    chapters = sections(about)
    tables = every_table(chapters)
    figures = draw(about, {table.key: table for table in tables})
    summary = summarised(source, about, tables)
    html = page(
        f"Self-prediction of refusals: {source.name}",
        lead(source, about),
        chapters,
        {k: f.svg for k, f in figures.items()},
    )
    write_report(out, html, summary.as_json(), tables, figures)
    return summary


def every_table(chapters: list[Section]) -> list[Table]:
    """The tables of all chapters in order."""
    return [table for chapter in chapters for table in chapter.tables]


def lead(source: Source, about: Study) -> list[str]:
    """The opening lines: what was analysed, by which coding."""
    n_requests = len(set(about.data.request.codes.tolist()))
    return [
        f"{len(about.targets)} targets, {n_requests} requests, {about.data.n_rows:,} rows; "
        f"coding: {about.settings.coding.name}.",
        *source.notes,
    ]
