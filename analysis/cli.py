"""The command `analyze-dataset`, the same as `python -m analysis` inside a dataset."""

import argparse
import io
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from .data import Coding, DataError
from .run import compute, write
from .sources import load
from .study import Settings, study
from .tables.plan import Plan, expected, plan_tables
from .tables.table import Table, printable
from .tables.text import as_text

DESCRIPTION = """\
Does a language model know, before it answers, that it will refuse? Computes every number, table and figure
about a dataset of self-predictions and writes them as one report.
"""
EPILOG = """\
examples:
  analyze-dataset runs/first/release             report beside the data, in runs/first/release/report/
  analyze-dataset owner/name --revision v1.2.0   a published dataset, at one version
  analyze-dataset rows.csv --out report          a CSV with the columns of docs/tables.md
  analyze-dataset replica.csv --paper            the source study's tables, by the source study's conventions
  analyze-dataset new/ --against old/            what changed between two versions, and is it more than noise?
  analyze-dataset --plan                         how many requests does a study need?
  python -m analysis                             inside a downloaded dataset: the data beside this folder

exit status:
  0  report written
  2  wrong usage, or the input breaks the data contract (the message names column, row and value)
  3  report written, but targets with different items were not compared (see --allow-unequal-items)
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command with these arguments (default: the process's) and returns its exit status."""
    arguments = parser().parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        return plan(arguments) if arguments.plan else analyse(arguments)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (DataError, OSError) as error:
        print(f"analyze-dataset: {printable(str(error))}", file=sys.stderr)
        return 2


def parser() -> argparse.ArgumentParser:
    """The command line."""
    found = argparse.ArgumentParser(
        prog="analyze-dataset",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    found.add_argument(
        "place",
        nargs="?",
        metavar="PATH_OR_REPO",
        help="release directory, .parquet, .csv or Hub id owner/name (default, inside a dataset: that dataset)",
    )
    found.add_argument(
        "--out", type=Path, metavar="DIR", help="where the report goes (default: report/ beside the data)"
    )
    found.add_argument("--revision", help="version (tag, branch or commit) of a Hub dataset")
    found.add_argument("--strict", action="store_true", help="count full refusals only as refused")
    found.add_argument("--paper", action="store_true", help="add the source study's tables by its own conventions")
    found.add_argument(
        "--allow-unequal-items", action="store_true", help="compare targets with different items on those they share"
    )
    found.add_argument("--against", metavar="PATH_OR_REPO", help="an earlier version: what changed, beyond noise?")
    found.add_argument("--quiet", action="store_true", help="write the report without printing its tables")
    found.add_argument("--seed", type=int, default=0, help="seed of resampling (default: 0)")
    found.add_argument(
        "--resamples", type=positive, default=2000, metavar="B", help="bootstrap resamples (default: 2000)"
    )
    planner = found.add_argument_group("study planner")
    planner.add_argument(
        "--plan", action="store_true", help="print what a study can show; with a dataset, one of targets like its own"
    )
    planner.add_argument("--requests", type=positive, default=300, metavar="N", help="base requests (default: 300)")
    planner.add_argument("--rows", type=positive, default=3, metavar="K", help="rows a request (default: 3)")
    return found


def positive(text: str) -> int:
    """A whole number from 1 on. Raises ArgumentTypeError for anything else."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} found; wanted a whole number from 1 on")
    return int(text)


def analyse(arguments: argparse.Namespace) -> int:
    """Writes the report, prints its tables and returns the exit status."""
    source = load(arguments.place or str(own_dataset()), arguments.revision)
    earlier = load(arguments.against) if arguments.against else None
    report = compute(source, settings_of(arguments), earlier)
    out: Path = arguments.out or source.directory / "report"
    write(report, out)
    if not arguments.quiet:
        show(table for table in report.tables if not table.files_only)
    print(f"Report: {out / 'report.html'}")
    if report.refused:
        print(f"analyze-dataset: {printable(report.refused)}", file=sys.stderr)
        return 3
    return 0


def plan(arguments: argparse.Namespace) -> int:
    """Prints the study planner's tables and returns 0."""
    planned = Plan(arguments.requests, arguments.rows, seed=arguments.seed)
    if arguments.place:
        about = study(load(arguments.place, arguments.revision).data, settings_of(arguments))
        planned = expected([about.numbers(target) for target in about.targets], planned)
    show(plan_tables(planned))
    return 0


def show(tables: Iterable[Table]) -> None:
    """Prints tables as plain text."""
    for table in tables:
        print(as_text(table))


def settings_of(arguments: argparse.Namespace) -> Settings:
    """The settings that the options ask for."""
    return Settings(
        coding=Coding(strict=arguments.strict),
        paper=arguments.paper,
        allow_unequal_items=arguments.allow_unequal_items,
        seed=arguments.seed,
        n_resamples=arguments.resamples,
    )


def own_dataset() -> Path:
    """The dataset that this package was shipped in.

    Raises DataError when there is none.
    """
    beside = Path(__file__).resolve().parent.parent
    if (beside / "data" / "datapoints").is_dir():
        return beside
    raise DataError("no dataset given; wanted a path or a Hub id (see --help)")
