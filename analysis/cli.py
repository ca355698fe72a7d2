"""The command `analyze-dataset`, the same as `python -m analysis` inside a dataset."""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

DESCRIPTION = """\
Does a language model know, before it answers, that it will refuse? Computes every number, table and figure
about a dataset of self-predictions and writes them as one report.
"""
EPILOG = """\
examples:
  analyze-dataset runs/first/release             a release stays as it is: report in runs/first/release-report/
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
    # The matrices here are small: threads of the linear algebra would only wait for each other. Read when numpy loads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from .commands import analyse, plan
    from .data import DataError
    from .tables.table import printable

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        return plan(arguments) if arguments.plan else analyse(arguments)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except DataError as error:
        print(f"analyze-dataset: {printable(str(error))}", file=sys.stderr)
        return 2
    except OSError as error:
        said = f"{error.filename or 'a file'}: {(error.strerror or str(error)).lower()}"
        print(f"analyze-dataset: {printable(said)}", file=sys.stderr)
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
        "--out",
        type=Path,
        metavar="DIR",
        help="where the report goes (default: report/ beside the data; NAME-report/ beside a release NAME)",
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
