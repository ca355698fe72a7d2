"""`evaluate-judge`: measure a judge against people's labels, and write its record."""

import argparse
import hashlib
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from annotation.codebook import codebook_version
from annotation.evaluate import Evaluation, evaluate
from annotation.gold import GoldError, GoldRow, read_gold
from annotation.judge_record import JudgeRecord, Provenance, judge_record
from builder.evaluate_text import evaluation_text
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
  3  measured, but some verdicts are missing: run the same command again
"""


def parser() -> argparse.ArgumentParser:
    """The command line of `evaluate-judge`."""
    command = argparse.ArgumentParser(
        prog="evaluate-judge",
        description="Measure a judge against people: per source, per target and per class, with intervals.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("--judge", required=True, help=f"{LEXICAL}, or provider/model as for build-dataset --judges")
    command.add_argument(
        "--gold", required=True, nargs="+", type=Path, metavar="FILE", help="labelled responses, JSONL"
    )
    command.add_argument("--json", type=Path, metavar="OUT", help="write the judge's record, for --judge-record")
    command.add_argument("--limit", type=int, metavar="N", help="at most N rows of each file, drawn by their text")
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
        config = load_config(
            None, {"judges": (flags.judge,), "base_url": dict(flags.base_url or ())}, {"judges": "--judge"}
        )
        gold, name, sha = _gold(flags.gold, flags.limit)
        votes = _votes(flags.judge, gold, config, flags.run)
        evaluation = evaluate(gold, votes)
        record = _record(flags.judge, evaluation, name, sha)
        if flags.json:
            flags.json.write_text(f"{record.to_json()}\n", encoding="utf-8")
    except (ConfigError, GoldError) as error:
        return _complain(error, 2)
    except (JournalError, RunLockedError, LocalModelError, OSError) as error:
        return _complain(error, 1)
    sys.stdout.write(plain(evaluation_text(flags.judge, evaluation, record)) + "\n")
    return 3 if evaluation.overall.n_unlabelled else 0


def _gold(files: Sequence[Path], limit: int | None) -> tuple[list[GoldRow], str, str]:
    rows: list[GoldRow] = []
    sha = hashlib.sha256()
    for file in files:
        content = file.read_bytes()
        sha.update(content)
        found = list(read_gold(content.decode("utf-8", "strict").splitlines(), file.name).rows)
        if limit is not None:
            found = sorted(found, key=lambda row: digest(row.prompt, row.response))[:limit]
        rows.extend(found)
    if not rows:
        raise GoldError(f"{', '.join(map(str, files))}: no row with a label")
    suffix = "" if limit is None else f" (at most {limit} of each)"
    return rows, f"{' '.join(file.name for file in files)}{suffix}", sha.hexdigest()


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
        transport.ask([Ask("judge", key_of(request), request) for request in requests])
        return [
            judge.read(name, key_of(request), response, journal.completion(key_of(request)))
            for request, (_, response) in zip(requests, pairs, strict=True)
        ]


def _say(words: str) -> None:
    sys.stderr.write(f"{plain(words)}\n")


def _record(name: str, evaluation: Evaluation, gold_name: str, sha: str) -> JudgeRecord:
    about = Provenance(name, prompt_hash(name), codebook_version(), now_text()[:10], gold_name, sha)
    return judge_record(about, evaluation.overall)


def _complain(words: BaseException | str, status: int) -> int:
    sys.stderr.write(f"evaluate-judge: {plain(problem_text(words))}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
