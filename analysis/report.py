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
from .tables.changes import changes
from .tables.judges import judge_tables
from .tables.table import Table
from .tables.words import plural


def run(
    path: Path,
    out: Path,
    *,
    settings: Settings | None = None,
    revision: str | None = None,
    against: Path | None = None,
) -> Summary:
    """Analyses the dataset at `path`, writes the report under `out`, and returns the summary it wrote.

    With `against`, an earlier version of the dataset, the report opens with what changed. Raises DataError if an input
    breaks the data contract, OSError if `out` cannot be written.
    """
    earlier = None if against is None else load(str(against))
    return write(compute(load(str(path), revision), settings or Settings(), earlier), out)


AT_A_GLANCE = ("changed_rows", "moved", "rows", "headline", "baselines", "selection", "pairs")


class Report(NamedTuple):
    """A computed report: what it is about and its chapters."""

    source: Source
    study: Study
    sections: list[Section]

    @property
    def tables(self) -> list[Table]:
        """The tables of all chapters, in order."""
        return [table for section in self.sections for table in section.tables]

    @property
    def refused(self) -> str:
        """Why a chapter was refused; "" if none was."""
        return " ".join(section.refused for section in self.sections if section.refused)


def compute(source: Source, settings: Settings, earlier: Source | None = None) -> Report:
    """Every table of a loaded dataset; first what changed since an earlier version, if one is given."""
    about = study(source.data, settings)
    chapters = sections(about)
    if source.votes is not None:
        chapters.insert(
            -1, Section("judges", "How good are the labels?", (), tuple(judge_tables(source.votes, source.data)))
        )
    if earlier is not None:
        tables = tuple(changes(study(earlier.data, settings), about))
        chapters.insert(0, Section("changes", f"What changed since {earlier.name}", (), tables))
    return Report(source, about, chapters)


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
    readings = {table.key: table.reading for table in report.tables}
    findings = [readings[key] for key in AT_A_GLANCE if readings.get(key)]
    return [f"{', '.join(counts)}. Coding of refusals: {settings.coding.name}.", *report.source.notes, *findings]
