"""`annotate-dataset`: people label what judges could not, in Argilla, in the terminal or in a spreadsheet."""

import sys
from collections.abc import Sequence

from annotation.argilla.environment import EnvironmentMissingError
from annotation.argilla.stack import ServerFailedError
from builder.annotate_options import parser
from builder.annotate_serve import serve
from builder.summary import plain

OK, FAILED, INTERRUPTED = 0, 1, 130
VERBS = {"serve": serve}
SAID_IN_WORDS = (EnvironmentMissingError, ServerFailedError, OSError)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status (see `--help`)."""
    flags = parser().parse_args(arguments)
    try:
        VERBS[flags.verb](flags)
    except SAID_IN_WORDS as error:
        sys.stderr.write(f"annotate-dataset {flags.verb}: {plain(str(error))}\n")
        return FAILED
    except KeyboardInterrupt:
        sys.stderr.write("\nstopped; what was answered is on record\n")
        return INTERRUPTED
    return OK


if __name__ == "__main__":
    sys.exit(main())
