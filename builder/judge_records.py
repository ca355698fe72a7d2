"""Judge records: the bundled ones and the user's, and which of them speak of the judge as it is asked today."""

from collections.abc import Iterable
from pathlib import Path

from annotation.judge_record import JudgeRecord
from annotation.lexical.fingerprint import rules_hash
from builder.problem_text import problem_text
from builder.stages import judge
from schemas.config import LEXICAL, ConfigError

BUNDLED = Path(__file__).parent / "measured_judges"


def prompt_hash(name: str) -> str:
    """SHA-256 of all that makes the judge what it is: prompt and form, or the lexical judge's code and word lists."""
    if name != LEXICAL:
        return judge.prompt_hash(name)
    return rules_hash()


def read_records(files: Iterable[Path]) -> tuple[JudgeRecord, ...]:
    """The records in the files. Raises ConfigError naming the file that holds none."""
    records = []
    for file in files:
        try:
            records.append(JudgeRecord.from_json(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as problem:
            words = f"--judge-record {file} is no judge record ({problem_text(problem)})"
            raise ConfigError(f"{words}; evaluate-judge --json writes one") from problem
    return tuple(records)


def record_problems(files: Iterable[Path]) -> list[str]:
    """Which of the files hold no record, each with what is wrong."""
    problems = []
    for file in files:
        try:
            read_records([file])
        except ConfigError as error:
            problems.append(str(error))
    return problems


def valid_records(judges: Iterable[str], given: Iterable[Path]) -> tuple[JudgeRecord, ...]:
    """The latest record of each judge that was made with today's prompt; a given file counts more than a bundled one.

    A record of another prompt, or on no rows, says nothing of this judge and is left out.
    """
    records = (*read_records(sorted(BUNDLED.glob("*.json"))), *read_records(given))
    latest = {held.judge: held for held in records if held.n and held.prompt_hash == prompt_hash(held.judge)}
    return tuple(latest[name] for name in judges if name in latest)


def stale_records(given: Iterable[Path]) -> tuple[str, ...]:
    """The judges whose given record was made with another prompt than today's."""
    return tuple(record.judge for record in read_records(given) if record.prompt_hash != prompt_hash(record.judge))
