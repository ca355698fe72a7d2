"""The flags of `annotate-dataset`, one sub-command a function."""

import argparse
from importlib.metadata import version
from pathlib import Path

from annotation.argilla.places import WORKSPACE

DESCRIPTION = """\
Let people label the responses that judges could not decide, or that are drawn for audit.

in a browser, with Argilla:
  annotate-dataset serve --annotator ada --annotator ben --expert eve
                                   a real Argilla on this machine; leave it running
  annotate-dataset push            what wants labels goes to Argilla
  annotate-dataset status --watch  who has done what, and how long it will take
  annotate-dataset pull            what people answered comes into the run's journal
  annotate-dataset agreement       how well people, and judges and people, agree
  annotate-dataset adjudicate      what they disagree on goes to the expert; pull again when it is answered
without a browser:
  annotate-dataset label --annotator ada             in the terminal, one key a label
  annotate-dataset export --annotator ada ada.csv    in a spreadsheet; `import ada.csv` when it is filled in
then run build-dataset again: it goes on from these labels.
"""
EPILOG = """\
An Argilla elsewhere is used when ARGILLA_API_URL and ARGILLA_API_KEY (an owner's key) are set.

exit status: 0 done · 1 an error, said in words · 2 wrong flags · 130 stopped by Ctrl-C
"""


def parser() -> argparse.ArgumentParser:
    """The command line of `annotate-dataset`."""
    command = argparse.ArgumentParser(
        prog="annotate-dataset",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add_argument("--version", action="version", version=f"%(prog)s {version('refusal-foresight')}")
    verbs = command.add_subparsers(dest="verb", required=True, metavar="COMMAND")
    _serve(verbs.add_parser("serve", help="run a real Argilla on this machine, until Ctrl-C", allow_abbrev=False))
    return command


def _serve(verb: argparse.ArgumentParser) -> None:
    _where(verb)
    _argilla(verb)
    verb.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s: this machine alone)")
    verb.add_argument("--port", type=int, default=6900, metavar="N", help="port to listen on (%(default)s)")
    verb.add_argument(
        "--annotator",
        action="append",
        type=_name,
        metavar="NAME",
        help="make an account for an annotator (first start: annotator1, annotator2)",
    )
    verb.add_argument(
        "--expert", action="append", type=_name, metavar="NAME", help="make an account for one who adjudicates"
    )
    verb.add_argument(
        "--new-password", action="append", default=[], type=_name, metavar="NAME", help="draw a new password for NAME"
    )
    verb.add_argument("--open", action="store_true", help="open the browser when it is ready")


def _where(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "--run", type=Path, default=Path("runs/default"), metavar="DIR", help="run directory (%(default)s)"
    )


def _argilla(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--home", type=Path, metavar="DIR", help="the server's own directory (default: RUN/argilla)")
    verb.add_argument("--workspace", default=WORKSPACE, metavar="NAME", help="workspace in Argilla (%(default)s)")


def _name(text: str) -> str:
    if not text.replace("-", "").replace("_", "").isalnum() or not text.isascii():
        raise argparse.ArgumentTypeError(f"got {text!r}, want a name of letters, digits, '-' and '_'")
    return text
