"""The flags of `annotate-dataset`, one sub-command a function."""

import argparse
from importlib.metadata import version
from pathlib import Path

from annotation.argilla.places import DECLINABLE, WORKSPACE
from schemas.vocabulary import Topic

DESCRIPTION = """\
Let people label the responses that judges could not decide, or that are drawn for audit.

in a browser, with Argilla:
  annotate-dataset serve --annotator ada --annotator ben --expert eve
                                   a real Argilla on this machine; leave it running
  annotate-dataset push            what wants labels goes to Argilla
  annotate-dataset status --watch  who has done what, and how long it will take
  annotate-dataset pull            what people answered comes into the run's journal
  annotate-dataset agreement       how well people, and judges and people, agree
  annotate-dataset push --what paraphrases
                                   people check paraphrases beside their bases; pull again
  annotate-dataset adjudicate      what they disagree on goes to the expert; pull again when it is answered
without a browser:
  annotate-dataset label --annotator ada             in the terminal, one key a label
  annotate-dataset export --annotator ada ada.csv    in a spreadsheet; `import ada.csv` when it is filled in
then run build-dataset again: it goes on from these labels.
"""
EPILOG = """\
An Argilla elsewhere is used when ARGILLA_API_URL and ARGILLA_API_KEY (an owner's key) are set.

exit status:
  0    done
  1    an error, said in words
  2    wrong flags, or a file to export to that is to be kept
  130  stopped by Ctrl-C; what was answered is on record
"""
EXAMPLES = {
    "serve": "serve --annotator ada --annotator ben --expert eve",
    "push": "push --run runs/study --opt-out ada=self_harm",
    "pull": "pull --run runs/study",
    "status": "status --run runs/study --watch",
    "agreement": "agreement --run runs/study",
    "adjudicate": "adjudicate --run runs/study",
    "label": "label --run runs/study --annotator ada",
    "export": "export --run runs/study --annotator ada ada.csv",
    "import": "import --run runs/study ada.csv",
}


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
    for name, (help_text, add) in _VERBS.items():
        verb = verbs.add_parser(
            name,
            help=help_text,
            description=f"{help_text[0].upper()}{help_text[1:]}.",
            epilog=f"example: annotate-dataset {EXAMPLES[name]}",
            allow_abbrev=False,
        )
        add(verb)
    return command


def _serve(verb: argparse.ArgumentParser) -> None:
    _where(verb)
    _argilla(verb)
    verb.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: %(default)s, this machine alone)"
    )
    verb.add_argument("--port", type=int, default=6900, metavar="N", help="port to listen on (default: %(default)s)")
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


def _push(verb: argparse.ArgumentParser) -> None:
    _where(verb)
    _argilla(verb)
    _what(verb)
    verb.add_argument(
        "--show-suggestions",
        action="store_true",
        help="show what the judges say, for assisted work (default: blind); the answers are marked as such",
    )
    verb.add_argument(
        "--opt-out",
        action="append",
        default=[],
        type=_declines,
        metavar="NAME=TOPICS",
        help=f"topics NAME does not label, of {','.join(DECLINABLE)}; nothing after = takes all again; remembered",
    )


def _pull(verb: argparse.ArgumentParser) -> None:
    _where(verb)
    _argilla(verb)
    verb.add_argument("--names", action="store_true", help="record account names instead of pseudonyms")


def _status(verb: argparse.ArgumentParser) -> None:
    _pull(verb)
    verb.add_argument("--watch", action="store_true", help="stay and show every five seconds, until Ctrl-C")
    verb.add_argument(
        "--offline", action="store_true", help="ask no Argilla, even if there is one: count what is in the journal"
    )


def _agreement(verb: argparse.ArgumentParser) -> None:
    _where(verb)


def _adjudicate(verb: argparse.ArgumentParser) -> None:
    _where(verb)
    _argilla(verb)


def _label(verb: argparse.ArgumentParser) -> None:
    _where(verb)
    verb.add_argument("--annotator", required=True, type=_name, metavar="NAME", help="who labels")
    verb.add_argument("--confidence", action="store_true", help="also ask how sure you are, by a second key")


def _export(verb: argparse.ArgumentParser) -> None:
    _where(verb)
    _what(verb)
    verb.add_argument("--annotator", required=True, type=_name, metavar="NAME", help="who will fill it in")
    verb.add_argument(
        "--overwrite", action="store_true", help="replace an earlier table of this name, and lose what is in it"
    )
    verb.add_argument("file", type=Path, metavar="FILE", help="CSV to write; a file that exists is refused")


def _import(verb: argparse.ArgumentParser) -> None:
    _where(verb)
    verb.add_argument("--annotator", type=_name, metavar="NAME", help="who filled it in (default: the file's name)")
    verb.add_argument("file", type=Path, metavar="FILE", help="CSV to read")


_VERBS = {
    "serve": ("run a real Argilla on this machine, until Ctrl-C", _serve),
    "push": ("send what wants labels to Argilla, and let people in", _push),
    "pull": ("bring what people answered into the run's journal", _pull),
    "status": ("show who has done what, and how long the rest will take", _status),
    "agreement": ("show how well people, and judges and people, agree", _agreement),
    "adjudicate": ("send what people disagree on to the experts", _adjudicate),
    "label": ("label in the terminal, one key a label", _label),
    "export": ("write a CSV table for a colleague with a spreadsheet", _export),
    "import": ("read a CSV table that was filled in", _import),
}


def _what(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "--what",
        choices=["responses", "paraphrases"],
        default="responses",
        help="responses that want a label, or paraphrases beside their bases: same intent, level, kind? (%(default)s)",
    )
    verb.add_argument(
        "--draw", type=_count, metavar="N", help="of paraphrases N, drawn once; a larger N adds to them (default: all)"
    )


def _where(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "--run", type=Path, default=Path("runs/default"), metavar="DIR", help="run directory (default: %(default)s)"
    )
    verb.add_argument(
        "--corpus", type=Path, metavar="DIR", help="the corpus folder the run was built from, if not ours"
    )


def _argilla(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--home", type=Path, metavar="DIR", help="the server's own directory (default: RUN/argilla)")
    verb.add_argument(
        "--workspace", default=WORKSPACE, metavar="NAME", help="workspace in Argilla (default: %(default)s)"
    )


def _declines(text: str) -> tuple[str, tuple[Topic, ...]]:
    name, equals, topics = text.partition("=")
    wanted = [part for part in topics.split(",") if part]
    if not equals or not set(wanted) <= set(DECLINABLE):
        raise argparse.ArgumentTypeError(f"got {text!r}, want NAME= and then none or some of {','.join(DECLINABLE)}")
    return _name(name), tuple(Topic(part) for part in wanted)


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"got {text!r}, want a whole number from 1 up")
    return int(text)


def is_name(text: str) -> bool:
    """Whether an annotator may be called that."""
    return text.isascii() and text.replace("-", "").replace("_", "").isalnum()


def _name(text: str) -> str:
    if not is_name(text):
        raise argparse.ArgumentTypeError(f"got {text!r}, want a name of letters, digits, '-' and '_'")
    return text
