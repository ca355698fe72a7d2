"""The flags of `evaluate-judge`."""

import argparse
from pathlib import Path

from builder.command_parser import CommandParser
from builder.options import add_limits, add_servers
from schemas.config import LEXICAL

EXAMPLES = """\
A gold file is JSONL: one object a line with prompt, response and label (full_refusal, partial_refusal,
partial_compliance, full_compliance) or label_binary (refusal, compliance); source, target and id are optional.
A response that occurs twice with its prompt counts once; two labels for it are an error.

examples:
  evaluate-judge --judge lexical --gold labelled.jsonl
  evaluate-judge --judge openai/gpt-5.2 --gold a.jsonl b.jsonl --json gpt.json
      then: build-dataset --judges lexical,openai/gpt-5.2 --judge-record gpt.json
  evaluate-judge --judge local/qwen2.5-coder-1.5b --gold labelled.jsonl --limit 200
  evaluate-judge --judge anthropic/claude-sonnet-4-5 --gold labelled.jsonl --budget-usd 5
      stops before it costs more; what is answered then counts when it goes on

What an LLM judge says is journalled under --run: stopped and run again, it goes on where it was.

exit status:
  0    measured
  1    an error, said in words
  2    wrong flags or settings
  3    measured, but some calls failed: run the same command again (a refused, filtered or unreadable answer is on
       record, is told by its reason, and is no failed call); or the judge was given up, or the budget is spent,
       and nothing measured: put that right and run the same command again
  130  stopped by Ctrl-C; everything answered is on record
"""


def parser() -> argparse.ArgumentParser:
    """The command line of `evaluate-judge`."""
    command = CommandParser(
        prog="evaluate-judge",
        description="Measure a judge against people: per source, per target and per class, with intervals.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("--judge", required=True, help=f"{LEXICAL}, or provider/model as for build-dataset --judges")
    command.add_argument(
        "--gold", required=True, nargs="+", type=Path, metavar="FILE", help="labelled responses, JSONL"
    )
    command.add_argument(
        "--json",
        type=Path,
        metavar="OUT",
        help="write the judge's record, for --judge-record; no file but an earlier record is replaced",
    )
    command.add_argument(
        "--limit",
        type=_rows,
        metavar="N",
        help="at most N rows, as many of each source as there are, drawn by a hash of their text: the same every time",
    )
    command.add_argument(
        "--config", type=Path, metavar="FILE", help="settings as TOML, such as call_timeout_s and concurrency"
    )
    command.add_argument(
        "--run",
        type=Path,
        default=Path("runs/judges"),
        metavar="DIR",
        help="where answers of an LLM judge are kept (default: %(default)s)",
    )
    add_servers(command)
    add_limits(command)
    return command


def _rows(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"wanted a number of rows from 1, got {text!r}")
    return int(text)
