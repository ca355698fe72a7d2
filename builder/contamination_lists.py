"""Reading lists of public prompts: JSONL, CSV or Parquet, with the column of the prompt found by its name."""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq
from pyarrow import ArrowException

from builder.problem_text import problem_text

COLUMNS = ("prompt", "text", "goal", "question", "instruction")


class PublicPrompt(NamedTuple):
    """A prompt of a public list: which list calls it its own and in which row (from 1) of the file it stands."""

    source: str
    row: int
    text: str


class PromptListError(Exception):
    """A list that cannot be read; the message names the file, what is wrong and what is wanted."""


def read_prompts(path: Path) -> Iterator[PublicPrompt]:
    """The prompts of a file, in order. The source is the row's `source` if it has one, else the file's name.

    Rows whose prompt is empty are passed over. Raises PromptListError.
    """
    readers = {".jsonl": _json_rows, ".csv": _csv_rows, ".parquet": _parquet_rows}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise PromptListError(f"{path}: want a list of prompts as {', '.join(readers)}")
    column: str | None = None
    try:
        for number, row in enumerate(reader(path), start=1):
            column = column or _prompt_column(path, row)
            text = row.get(column)
            if text is not None and not isinstance(text, str):
                raise PromptListError(f"{path}: row {number}: {column} is {type(text).__name__}, want text")
            if text and not _is_well_formed(text):
                raise PromptListError(f"{path}: row {number}: {column} holds half a character (a lone surrogate)")
            if text and text.strip():
                yield PublicPrompt(str(row.get("source") or path.stem), number, text)
    except (OSError, UnicodeDecodeError, csv.Error, ArrowException) as error:
        words = problem_text(error).removeprefix(f"{path}: ")
        raise PromptListError(f"{path}: cannot be read: {words}") from error


def count_prompts(files: Sequence[Path]) -> int:
    """How many prompts the files hold. Raises PromptListError for the first that cannot be read to its end."""
    return sum(1 for path in files for _ in read_prompts(path))


def _prompt_column(path: Path, row: Mapping[str, object]) -> str:
    by_name = {str(name).strip().lower(): name for name in row}
    for wanted in COLUMNS:
        if wanted in by_name:
            return by_name[wanted]
    found = ", ".join(map(str, row)) or "none"
    raise PromptListError(f"{path}: want a column called {', '.join(COLUMNS)}; found {found}")


def _is_well_formed(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _json_rows(path: Path) -> Iterator[Mapping[str, object]]:
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                raise PromptListError(f"{path}: line {number} is not JSON: {error}") from error
            except RecursionError:
                raise PromptListError(f"{path}: line {number} is nested too deep") from None
            except ValueError as error:  # int() reads no more than some thousands of digits
                raise PromptListError(f"{path}: line {number} holds a number with too many digits") from error
            if not isinstance(row, dict):
                raise PromptListError(f"{path}: line {number} is {type(row).__name__}, want an object")
            yield row


def _csv_rows(path: Path) -> Iterator[Mapping[str, object]]:
    with path.open(encoding="utf-8-sig", newline="") as lines:
        yield from csv.DictReader(lines)


def _parquet_rows(path: Path) -> Iterator[Mapping[str, object]]:
    with pq.ParquetFile(path) as table:
        names = [name for name in table.schema_arrow.names if name.strip().lower() in (*COLUMNS, "source")]
        if not names:
            yield dict.fromkeys(table.schema_arrow.names)
        for batch in table.iter_batches(batch_size=10_000, columns=names):
            yield from batch.to_pylist()
