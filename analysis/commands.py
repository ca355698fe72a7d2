"""What the command does: the report, and the study planner."""

import shlex
import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

from .data import Coding, DataError
from .report import compute, write
from .sources import load
from .study import Settings, study
from .sums import changed
from .tables.plan import Plan, expected, plan_tables
from .tables.table import Table, printable
from .tables.text import as_text


def analyse(arguments: Namespace) -> int:
    """Writes the report, prints its tables and returns the exit status."""
    source = load(arguments.place or str(own_dataset()), arguments.revision)
    out = report_place(arguments.out, source.directory)
    earlier = load(arguments.against) if arguments.against else None
    warn_of_changes([*source.files, *(earlier.files if earlier else ())])
    report = compute(source, settings_of(arguments), earlier)
    write(report, out)
    if not arguments.quiet:
        show(table for table in report.tables if not table.files_only)
    print(f"Report: {out / 'report.html'}")
    if report.refused:
        print(f"analyze-dataset: {printable(report.refused)}", file=sys.stderr)
        return 3
    return 0


def plan(arguments: Namespace) -> int:
    """Prints the study planner's tables and returns 0."""
    planned = Plan(arguments.requests, arguments.rows, seed=arguments.seed)
    if arguments.place:
        about = study(load(arguments.place, arguments.revision).data, settings_of(arguments))
        planned = expected([about.numbers(target) for target in about.targets], planned)
    show(plan_tables(planned))
    return 0


def warn_of_changes(files: Iterable[Path]) -> None:
    """Says on stderr, in one line, which of the files that were read are not those of their release."""
    found = list(changed(files))
    if found:
        words = "this copy was changed; validate-release tells more"
        names = printable(", ".join(found))
        print(f"analyze-dataset: warning: {names} does not match SHA256SUMS: {words}", file=sys.stderr)


def show(tables: Iterable[Table]) -> None:
    """Prints tables as plain text."""
    for table in tables:
        print(as_text(table))


def settings_of(arguments: Namespace) -> Settings:
    """The settings that the options ask for."""
    return Settings(
        coding=Coding(strict=arguments.strict),
        paper=arguments.paper,
        allow_unequal_items=arguments.allow_unequal_items,
        seed=arguments.seed,
        n_resamples=arguments.resamples,
    )


def report_place(asked: Path | None, directory: Path) -> Path:
    """Where the report goes: `asked`, else report/ in the data's directory, or NAME-report/ beside a release NAME.

    A release lists every file and its hash in SHA256SUMS: another report in it would make it invalid. Raises DataError
    if that is asked for.
    """
    out = directory / "report" if asked is None else asked
    release = next((place for place in out.resolve().parents if (place / "SHA256SUMS").is_file()), None)
    if release is None:
        return out
    beside = release.with_name(f"{release.name}-report")
    if asked is None:
        return beside
    raise DataError(
        f"--out {asked} is inside the release {release}, which another report would make invalid; wanted a directory "
        f"outside, such as {shlex.quote(str(beside))}"
    )


def own_dataset() -> Path:
    """The dataset that this package was shipped in.

    Raises DataError when there is none.
    """
    beside = Path(__file__).resolve().parent.parent
    if (beside / "data" / "datapoints").is_dir():
        return beside
    raise DataError("no dataset given; wanted a path or a Hub id (see --help)")
