"""The command `analyze-dataset`, the same as `python -m analysis` inside a dataset."""

import argparse
import io
import sys
from collections.abc import Sequence
from pathlib import Path

from .data import Coding, DataError
from .run import compute, write
from .sources import load
from .study import Settings
from .tables.table import printable
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
        return analyse(arguments)
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
        "place", nargs="?", metavar="PATH_OR_REPO", help="release directory, .parquet, .csv or Hub id owner/name"
    )
    found.add_argument("--revision", help="version (tag, branch or commit) of a Hub dataset")
    found.add_argument(
        "--out", type=Path, metavar="DIR", help="where the report goes (default: report/ beside the data)"
    )
    found.add_argument(
        "--allow-unequal-items", action="store_true", help="compare targets with different items on those they share"
    )
    found.add_argument("--strict", action="store_true", help="count full refusals only as refused")
    found.add_argument("--paper", action="store_true", help="add the source study's tables by its own conventions")
    found.add_argument("--seed", type=int, default=0, help="seed of resampling (default: 0)")
    found.add_argument("--resamples", type=int, default=2000, metavar="B", help="bootstrap resamples (default: 2000)")
    return found


def analyse(arguments: argparse.Namespace) -> int:
    """Writes the report and prints its tables."""
    source = load(arguments.place or str(own_dataset()), arguments.revision)
    settings = Settings(
        coding=Coding(strict=arguments.strict),
        paper=arguments.paper,
        allow_unequal_items=arguments.allow_unequal_items,
        seed=arguments.seed,
        n_resamples=arguments.resamples,
    )
    out = arguments.out or source.directory / "report"
    report = compute(source, settings)
    for table in report.tables:
        if not table.files_only:
            print(as_text(table))
    write(report, out)
    print(f"Report: {out / 'report.html'}")
    return 0


def own_dataset() -> Path:
    """The dataset that this package was shipped in.

    Raises DataError when there is none.
    """
    beside = Path(__file__).resolve().parent.parent
    if (beside / "data" / "datapoints").is_dir():
        return beside
    raise DataError("no dataset given; wanted a path or a Hub id (see --help)")
