"""`journal-dataset`: look after the journal of a run."""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from builder.corpus_file import read_corpus
from builder.journal.export import export
from builder.journal.integrity import problems_of
from builder.journal.store import Journal, JournalError, missing_journal, open_journal
from builder.problem_text import problem_text
from builder.work import judge_asks, recorded_work
from schemas.chat import Completion, FailedAttempt
from schemas.config import BuildConfig
from schemas.printable import plain

EXAMPLES = """\
examples:
  journal-dataset check --run runs/default             is the file sound, and does it hold anything nobody plans?
  journal-dataset export --run runs/default calls.parquet   every call with its text, tokens, latency and time

exit status:
  0  sound, or exported
  1  something is wrong, said in words
  2  wrong flags
"""


def parser() -> argparse.ArgumentParser:
    """The command line of `journal-dataset`."""
    command = argparse.ArgumentParser(
        prog="journal-dataset",
        description="Check or export what a run has on record.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = command.add_subparsers(dest="action", required=True)
    check = actions.add_parser("check", help="integrity of the file, requests whose key is wrong, calls nobody plans")
    out = actions.add_parser("export", help="every attempt as .parquet or .jsonl")
    for action in (check, out):
        action.add_argument(
            "--run", type=Path, default=Path("runs/default"), metavar="DIR", help="run directory (default: %(default)s)"
        )
    out.add_argument("file", type=Path, help="where to write; the ending says how")
    return command


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status (see `--help`)."""
    flags = parser().parse_args(arguments)
    path = flags.run / "journal.sqlite"
    if not path.exists() and missing_journal(flags.run) is None:
        return _complain(f"{path} does not exist: name the directory of a run with --run")
    try:
        with open_journal(flags.run) as journal:
            if flags.action == "export":
                sys.stdout.write(f"{export(journal, flags.file):,} attempts written to {flags.file}\n")
                return 0
            return _check(journal, flags.run)
    except (JournalError, OSError, ValueError) as error:
        return _complain(problem_text(error))


def _check(journal: Journal, run: Path) -> int:
    problems = problems_of(journal)
    for problem in problems:
        sys.stdout.write(f"{plain(problem)}\n")
    completed = journal.completed_keys()
    sys.stdout.write(f"{len(completed):,} answers on record, {len(problems)} problems\n")
    try:
        _tell_use(journal, run, completed)
    except JournalError:  # damage, told above
        sys.stdout.write("which of them are not used cannot be told from a damaged journal\n")
    return 1 if problems else 0


def _tell_use(journal: Journal, run: Path, completed: set[str]) -> None:
    settings = run / "settings.json"
    if settings.exists():
        config = BuildConfig.model_validate_json(settings.read_text(encoding="utf-8"))
        work = recorded_work(read_corpus().requests, config, journal)
        unused = completed - {*work.predict_keys, *work.respond_keys, *work.grown.keys}
        unused -= {ask.key for ask in judge_asks(work, journal)}
        sys.stdout.write(
            f"{len(unused):,} of them not used by the present settings and texts (kept){_by(unused, journal)}\n"
        )
    if marked := sum(_marked(attempt.result) for attempt in journal.attempts()):
        sys.stdout.write(f"{marked:,} of them held one of your keys; a mark stands in its place\n")


def _by(keys: set[str], journal: Journal) -> str:
    found = Counter(
        (a.stage, a.model) for a in journal.attempts() if a.key in keys and isinstance(a.result, Completion)
    )
    told = ", ".join(f"{stage} {model} {count:,}" for (stage, model), count in sorted(found.items()))
    return f": {plain(told)}" if told else ""


def _marked(result: Completion | FailedAttempt) -> bool:
    return isinstance(result, Completion) and bool(result.secret_removed)


def _complain(words: str) -> int:
    sys.stderr.write(f"journal-dataset: {plain(words)}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
