"""The command `validate-release`: is this directory a sound release?"""

import argparse
import sys
from collections.abc import Sequence

from hub_card.directory import named
from hub_card.markdown import counted
from hub_card.validate import validate_release

EPILOG = """\
examples:
  validate-release runs/first/release                a release that was just built
  validate-release --numbers ~/downloads/dataset     a downloaded copy of a published one, with its report

exit status:
  0  every rule holds
  1  problems, one a line: file, place, rule and what to do
  2  wrong usage
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command with these arguments (default: the process's) and returns its exit status."""
    arguments = parser().parse_args(argv)
    problems = validate_release(arguments.release)
    if arguments.numbers and not problems:
        from hub_card.checks.numbers import check_numbers

        problems = list(check_numbers(arguments.release))
    for problem in problems:
        print(problem)
    if problems:
        print(f"{counted(len(problems), 'problem')} in {arguments.release}", file=sys.stderr)
        return 1
    print(f"{arguments.release} keeps every rule")
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    found = argparse.ArgumentParser(
        prog="validate-release",
        description="Checks a release directory: files and hashes, card, types, and that labels, bins and counts "
        "follow from each other. Works offline and changes nothing.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    found.add_argument("release", type=named, metavar="DIR", help="the directory that holds manifest.json")
    found.add_argument(
        "--numbers", action="store_true", help="also compute every number of report/summary.json again (slower)"
    )
    return found


if __name__ == "__main__":
    sys.exit(main())
