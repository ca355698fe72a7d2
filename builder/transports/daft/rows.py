"""One attempt as a row of the workers' Parquet files, and back; docs/scale.md has the columns."""

import time
import uuid
from dataclasses import asdict, fields
from typing import Any, get_args

import pyarrow as pa

from builder.journal.export import SCHEMA as JOURNAL_SCHEMA
from builder.journal.store import Entry
from builder.providers.protocol import FailureKind
from schemas.chat import Completion, FailedAttempt, Usage
from schemas.key import key_of
from schemas.vocabulary import Outcome
from schemas.wire import dump_request, load_request

SCHEMA = pa.schema([("attempt", pa.string()), *JOURNAL_SCHEMA, ("request", pa.string())])
"""The columns of `journal-dataset export`, and two more.

`attempt` names the attempt: the names sort as the attempts ended, and a row that lies in two files has the same in
both. `request` is the canonical JSON of what was asked: `key` is its SHA-256. An attempt has an `outcome` (and `error`
is null) if it was answered, an `error` (and `outcome` is null) if it failed.
"""

USAGE = tuple(item.name for item in fields(Usage))
ANSWER = tuple(item.name for item in fields(Completion) if item.name not in ("outcome", "usage"))


def new_attempt() -> str:
    """A name for an attempt that ends now."""
    return f"{time.time_ns():020d}-{uuid.uuid4().hex[:8]}"


def row_of(entry: Entry, attempt: str) -> dict[str, Any]:
    """The row of an attempt; columns that say nothing are left out."""
    request, result = entry.request, entry.result
    row: dict[str, Any] = {"attempt": attempt, "key": key_of(request), "stage": entry.stage, "model": request.model}
    row["request"] = dump_request(request)
    if isinstance(result, FailedAttempt):
        error = f"{result.kind}: {result.message}"
        return row | {"error": error, "status": result.status, "finished_at": result.finished_at}
    values = asdict(result)
    row |= values.pop("usage")
    return row | values | {"outcome": str(result.outcome)}


def entry_of(row: dict[str, Any]) -> Entry:
    """The attempt of a row. Raises ValueError if it is not one."""
    request = load_request(row["request"])
    if row["outcome"] is None:
        kind, _, message = row["error"].partition(": ")
        if kind not in get_args(FailureKind):
            raise ValueError(f"attempt {row['attempt']}: {kind!r} is no kind of failure")
        return Entry(row["stage"], request, FailedAttempt(row["key"], kind, message, row["status"], row["finished_at"]))
    values = {name: row[name] for name in ANSWER if row.get(name) is not None}
    usage = Usage(**{name: row.get(name) for name in USAGE})
    return Entry(row["stage"], request, Completion(outcome=Outcome(row["outcome"]), usage=usage, **values))
