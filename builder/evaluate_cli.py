"""`evaluate-judge`: measure a judge against people's labels, and write its record."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from annotation.codebook import codebook_version
from annotation.evaluate import Evaluation, evaluate
from annotation.gold import GoldError
from annotation.judge_record import JudgeRecord, Provenance, judge_record
from builder.evaluate_gold import GoldFiles, gold_of
from builder.evaluate_options import parser
from builder.evaluate_text import evaluation_text, missing_text, n_failed
from builder.evaluate_votes import UnmeasuredError, votes_of
from builder.event_log import check_log
from builder.journal.lock import RunLockedError
from builder.journal.store import JournalError
from builder.judge_records import prompt_hash
from builder.options import overrides
from builder.problem_text import problem_text
from builder.providers.clock import now_text
from builder.providers.local.weights import LocalModelError
from schemas.config import LEXICAL, BuildConfig, ConfigError, load_config
from schemas.printable import plain


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status (see `--help`)."""
    flags = parser().parse_args(arguments)
    try:
        config = _config(flags)
        if flags.json:
            _check_writable(flags.json, flags.gold)
        if flags.json_log:
            check_log(flags.json_log)
        gold = gold_of(flags.gold, flags.limit)
        votes = votes_of(flags.judge, gold.rows, config, flags.run, flags.json_log)
        evaluation = evaluate(gold.rows, votes)
        record = _record(flags.judge, evaluation, gold)
        if flags.json:
            flags.json.write_text(f"{record.to_json()}\n", encoding="utf-8")
    except (ConfigError, GoldError) as error:
        return _complain(error, 2)
    except UnmeasuredError as stopped:
        return _complain(stopped, 130 if stopped.by_user else 3)
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
        config = load_config(flags.config, overrides(flags) | {"judges": (flags.judge,)}, {"judges": "--judge"})
    except ConfigError as error:
        if not str(error).startswith("--judge:"):
            raise
        raise ConfigError(f"{error}; or {LEXICAL}, the judge of rules, which needs no model") from error
    return config.model_copy(update={"transport": "live"})  # the price of a call is then the live one


def _check_writable(out: Path, gold: Sequence[Path]) -> None:
    if out.resolve() in [file.resolve() for file in gold]:
        raise ConfigError(f"--json {out} is a gold file: give a file of another name for the record")
    if not out.is_file():
        return
    try:
        JudgeRecord.from_json(out.read_text(encoding="utf-8"))
    except (ValueError, TypeError) as problem:
        raise ConfigError(f"--json {out} exists and is no judge record: give another name") from problem


def _record(name: str, evaluation: Evaluation, gold: GoldFiles) -> JudgeRecord:
    about = Provenance(name, prompt_hash(name), codebook_version(), now_text()[:10], gold.name, gold.sha256)
    return judge_record(about, evaluation.overall)


def _complain(words: BaseException | str, status: int) -> int:
    sys.stderr.write(f"evaluate-judge: {plain(problem_text(words))}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
