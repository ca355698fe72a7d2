"""`annotate-dataset`: people label what judges could not, in Argilla, in the terminal or in a spreadsheet."""

import sys
from collections.abc import Sequence

from annotation.argilla.api import ArgillaError
from annotation.argilla.environment import EnvironmentMissingError
from annotation.argilla.stack import ServerFailedError
from annotation.spreadsheet import SpreadsheetError
from builder.annotate_argilla import adjudicate_items, pull_answers, push_items, show_status
from builder.annotate_offline import export_table, import_table, label_here, show_agreement
from builder.annotate_options import parser
from builder.annotate_serve import serve
from builder.annotate_tables import FlagError
from builder.journal.lock import RunLockedError
from builder.journal.store import JournalError
from builder.problem_text import problem_text
from schemas.config import ConfigError
from schemas.printable import plain

OK, FAILED, WRONG_FLAGS, INTERRUPTED = 0, 1, 2, 130
VERBS = {
    "serve": serve,
    "push": push_items,
    "pull": pull_answers,
    "status": show_status,
    "agreement": show_agreement,
    "adjudicate": adjudicate_items,
    "label": label_here,
    "export": export_table,
    "import": import_table,
}
SAID_IN_WORDS = (
    ArgillaError,
    ConfigError,
    EnvironmentMissingError,
    JournalError,
    OSError,
    RunLockedError,
    ServerFailedError,
    SpreadsheetError,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status (see `--help`)."""
    flags = parser().parse_args(arguments)
    try:
        VERBS[flags.verb](flags)
    except (FlagError, *SAID_IN_WORDS) as error:
        sys.stderr.write(f"annotate-dataset {flags.verb}: {plain(problem_text(error))}\n")
        return WRONG_FLAGS if isinstance(error, FlagError) else FAILED
    except KeyboardInterrupt:
        sys.stderr.write("\nstopped; what was answered is on record\n")
        return INTERRUPTED
    return OK


if __name__ == "__main__":
    sys.exit(main())
