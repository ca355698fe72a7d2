"""Computes a report: from a loaded table to sections, figures, summary and files."""

from pathlib import Path
from typing import NamedTuple

from .document.contents import sections
from .document.page import Section, page
from .document.write import write_report
from .figures.draw import draw
from .sources import Source, load
from .study import Settings, Study, study
from .summary import Summary, summarised
from .tables.table import Table
from .tables.words import plural


def run(path: Path, out: Path, *, settings: Settings | None = None, revision: str | None = None) -> Summary:
    """Analyses the dataset at `path`, writes the report under `out`, and returns the summary it wrote.

    Raises DataError if the input breaks the data contract, OSError if `out` cannot be written.
    """
    return write(compute(load(str(path), revision), settings or Settings()), out)


class Report(NamedTuple):
    """A computed report: what it is about and its chapters."""

    source: Source
    study: Study
    sections: list[Section]

    @property
    def tables(self) -> list[Table]:
        """The tables of all chapters, in order."""
        return [table for section in self.sections for table in section.tables]


def compute(source: Source, settings: Settings) -> Report:
    """Every table of a loaded dataset."""
    about = study(source.data, settings)
    return Report(source, about, sections(about))


def write(report: Report, out: Path) -> Summary:
    """Draws the figures and writes all files of a report under `out`."""
    figures = draw(report.study, {table.key: table for table in report.tables})
    summary = summarised(report.source, report.study, report.tables)
    title = f"Self-prediction of refusals: {report.source.name}"
    drawn = {key: figure.svg for key, figure in figures.items()}
    html = page(title, lead(report), report.sections, drawn)
    write_report(out, html, summary.as_json(), report.tables, figures)
    return summary


def lead(report: Report) -> list[str]:
    """The opening lines: what was analysed, by which coding."""
    data, settings = report.study.data, report.study.settings
    counts = (
        plural(len(report.study.targets), "target"),
        plural(len(set(data.request.codes.tolist())), "request"),
        plural(data.n_rows, "row"),
    )
    return [f"{', '.join(counts)}. Coding of refusals: {settings.coding.name}.", *report.source.notes]
