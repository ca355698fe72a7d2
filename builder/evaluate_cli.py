"""`evaluate-judge`: measure a judge against people's labels, and write its record."""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from annotation.codebook import codebook_version
from annotation.evaluate import Evaluation, evaluate
from annotation.gold import GoldError, GoldRow
from annotation.judge_record import JudgeRecord, Provenance, judge_record
from builder.command_parser import CommandParser
from builder.evaluate_gold import GoldFiles, gold_of
from builder.evaluate_text import evaluation_text, missing_text, n_failed
from builder.journal.lock import RunLockedError, run_lock
from builder.journal.store import Journal, JournalError
from builder.judge_records import prompt_hash
from builder.options import base_url
from builder.problem_text import problem_text
from builder.progress import LineWatcher
from builder.providers.clock import now_text
from builder.providers.connect import check_access, concurrency_of, connect
from builder.providers.local.weights import LocalModelError
from builder.stages import judge
from builder.transports.live import LiveTransport
from builder.transports.protocol import Ask
from schemas.config import LEXICAL, BuildConfig, ConfigError, load_config
from schemas.key import digest, key_of
from schemas.printable import plain
from schemas.records import Judgment, Response
from schemas.vocabulary import Outcome

EXAMPLES = """\
A gold file is JSONL: one object a line with prompt, response and label (full_refusal, partial_refusal,
partial_compliance, full_compliance) or label_binary (refusal, compliance); source, target and id are optional.
A response that occurs twice with its prompt counts once; two labels for it are an error.

examples:
  evaluate-judge --judge lexical --gold labelled.jsonl
  evaluate-judge --judge openai/gpt-5.2 --gold a.jsonl b.jsonl --json gpt.json
      then: build-dataset --judges lexical,openai/gpt-5.2 --judge-record gpt.json
  evaluate-judge --judge local/qwen2.5-coder-1.5b --gold labelled.jsonl --limit 200

What an LLM judge says is journalled under --run: stopped and run again, it goes on where it was.

exit status:
  0  measured
  1  an error, said in words
  2  wrong flags or settings
  3  measured, but some calls failed: run the same command again (a refused, filtered or unreadable answer is on
     record, is told by its reason, and is no failed call)
"""


class _InterruptedError(Exception):
    """The user stopped before every row had an answer."""


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
    command.add_argument(
        "--base-url", action="append", type=base_url, metavar="PROVIDER=URL", help="a server's address"
    )
    return command


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status (see `--help`)."""
    flags = parser().parse_args(arguments)
    try:
        config = _config(flags)
        if flags.json:
            _check_writable(flags.json, flags.gold)
        gold = gold_of(flags.gold, flags.limit)
        votes = _votes(flags.judge, gold.rows, config, flags.run)
        evaluation = evaluate(gold.rows, votes)
        record = _record(flags.judge, evaluation, gold)
        if flags.json:
            flags.json.write_text(f"{record.to_json()}\n", encoding="utf-8")
    except (ConfigError, GoldError) as error:
        return _complain(error, 2)
    except _InterruptedError as stopped:
        return _complain(stopped, 130)
    except KeyboardInterrupt:
        return _complain("stopped; what was answered is on record, the same command goes on from there", 130)
    except (JournalError, RunLockedError, LocalModelError, OSError) as error:
        return _complain(error, 1)
    sys.stdout.write(plain(evaluation_text(flags.judge, evaluation, record)) + "\n")
    if missing := missing_text(votes):
        sys.stdout.write(f"\n{plain(missing)}\n")
    return 3 if n_failed(votes) else 0


def _config(flags: argparse.Namespace) -> BuildConfig:
    try:
        return load_config(
            flags.config, {"judges": (flags.judge,), "base_url": dict(flags.base_url or ())}, {"judges": "--judge"}
        )
    except ConfigError as error:
        raise ConfigError(f"{error}; or {LEXICAL}, the judge of rules, which needs no model") from error


def _check_writable(out: Path, gold: Sequence[Path]) -> None:
    if out.resolve() in [file.resolve() for file in gold]:
        raise ConfigError(f"--json {out} is a gold file: give a file of another name for the record")
    if not out.is_file():
        return
    try:
        JudgeRecord.from_json(out.read_text(encoding="utf-8"))
    except (ValueError, TypeError) as problem:
        raise ConfigError(f"--json {out} exists and is no judge record: give another name") from problem


def _rows(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"wanted a number of rows from 1, got {text!r}")
    return int(text)


def _votes(name: str, gold: Sequence[GoldRow], config: BuildConfig, run: Path) -> list[Judgment]:
    pairs = [(row.prompt, Response(digest(row.prompt, row.response), Outcome.TEXT, row.response)) for row in gold]
    if name == LEXICAL:
        return [judge.by_rules(prompt, response) for prompt, response in pairs]
    check_access((name,), config)
    requests = [judge.ask(name, prompt, response) for prompt, response in pairs]
    run.mkdir(parents=True, exist_ok=True)
    with run_lock(run), Journal(run / "journal.sqlite") as journal:
        transport = LiveTransport(
            journal,
            partial(connect, config=config, say=_say),
            LineWatcher(sys.stderr),
            partial(concurrency_of, config=config),
        )
        report = transport.ask([Ask("judge", key_of(request), request) for request in requests])
        if "interrupted" in report.not_asked.values():
            done = report.already + report.answered
            raise _InterruptedError(
                f"stopped: {done} of {len(requests)} answers are on record in {run}, no judge record "
                "is written; the same command goes on from there"
            )
        return [
            judge.read(name, key_of(request), response, journal.completion(key_of(request)))
            for request, (_, response) in zip(requests, pairs, strict=True)
        ]


def _say(words: str) -> None:
    sys.stderr.write(f"{plain(words)}\n")


def _record(name: str, evaluation: Evaluation, gold: GoldFiles) -> JudgeRecord:
    about = Provenance(name, prompt_hash(name), codebook_version(), now_text()[:10], gold.name, gold.sha256)
    return judge_record(about, evaluation.overall)


def _complain(words: BaseException | str, status: int) -> int:
    sys.stderr.write(f"evaluate-judge: {plain(problem_text(words))}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
