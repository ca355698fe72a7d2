"""The files `annotate-dataset export` and `import` are given: nothing filled in is lost, and no file of a run."""

from argparse import Namespace
from pathlib import Path

from annotation.pairs_table import is_pairs_table
from annotation.spreadsheet import is_labels_table
from builder.annotate_options import is_name
from builder.annotate_run import annotate

KEPT_FOLDERS = frozenset({"release", "argilla"})
HEAD = 4096


class FlagError(Exception):
    """Flags that cannot be followed; the message says what to give in their place."""


def check_writable(flags: Namespace) -> None:
    """Raises FlagError if `flags.file` is a file to keep: one that exists, or a place of the run's own files.

    `flags.overwrite` lets a table of this command be replaced, and nothing else.
    """
    if _is_of_run(flags.run.resolve(), flags.file.resolve()):
        raise FlagError(
            f"{flags.file} is a place of the run's own files: give a .csv of another name, not in its release"
        )
    # A pipe or a terminal holds nothing that could be lost.
    if not flags.file.is_file():
        return
    if not flags.overwrite:
        read = annotate("import", flags, "--annotator", flags.annotator, flags.file)
        raise FlagError(
            f"{flags.file} exists and may hold answers: bring them in first ({read}), or give another name, "
            "or --overwrite to lose what is in it"
        )
    if not _is_table(flags.file):
        raise FlagError(f"{flags.file} is no table of this command, so --overwrite leaves it: give another name")


def annotator_of(flags: Namespace) -> str:
    """Who filled the table in: `--annotator`, else the file's name. Raises FlagError if that is no name."""
    name: str = flags.annotator or flags.file.stem
    if not is_name(name):
        raise FlagError(f"{name!r}, from the name of the file, is no name of an annotator: give --annotator NAME")
    return name


def _is_of_run(run: Path, file: Path) -> bool:
    if not file.is_relative_to(run):
        return False
    inside = file.relative_to(run)
    return file.suffix != ".csv" or inside.parts[0] in KEPT_FOLDERS


def _is_table(file: Path) -> bool:
    with file.open("rb") as opened:
        head = opened.read(HEAD).decode("utf-8-sig", errors="replace")
    return not head or is_labels_table(head) or is_pairs_table(head)
