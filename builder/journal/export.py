"""The journal as files other tools read: one row an attempt, times and latencies included."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from builder.journal.store import Attempt, Journal
from schemas.chat import Completion

BATCH = 5_000
SCHEMA = pa.schema(
    [
        ("key", pa.string()),
        ("stage", pa.string()),
        ("model", pa.string()),
        ("outcome", pa.string()),
        ("text", pa.string()),
        ("error", pa.string()),
        ("status", pa.int32()),
        ("stop_reason", pa.string()),
        ("served_model", pa.string()),
        ("fingerprint", pa.string()),
        ("request_id", pa.string()),
        ("input_tokens", pa.int64()),
        ("output_tokens", pa.int64()),
        ("cached_tokens", pa.int64()),
        ("reasoning_tokens", pa.int64()),
        ("cache_write_tokens", pa.int64()),
        ("latency_s", pa.float64()),
        ("finished_at", pa.string()),
        ("secret_removed", pa.bool_()),
    ]
)


def export(journal: Journal, path: Path) -> int:
    """Write every attempt to `path` (`.parquet` or `.jsonl`), a batch at a time; returns how many.

    Raises ValueError for another ending, JournalError if the journal cannot be read; then nothing is left there.
    """
    if path.suffix not in (".parquet", ".jsonl"):
        raise ValueError(f"cannot export to {path.name}: want a name that ends in .parquet or .jsonl")
    rows = (_row(attempt) for attempt in journal.attempts())
    part = path.with_name(f"{path.name}.part")
    try:
        count = _to_parquet(rows, part) if path.suffix == ".parquet" else _to_jsonl(rows, part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return count


def _to_parquet(rows: Iterator[dict[str, Any]], path: Path) -> int:
    count = 0
    with pq.ParquetWriter(path, SCHEMA, compression="zstd") as writer:
        while batch := list(islice(rows, BATCH)):
            writer.write_table(pa.Table.from_pylist(batch, schema=SCHEMA))
            count += len(batch)
    return count


def _to_jsonl(rows: Iterator[dict[str, Any]], path: Path) -> int:
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(f"{json.dumps({name: row.get(name) for name in SCHEMA.names}, ensure_ascii=False)}\n")
            count += 1
    return count


def _row(attempt: Attempt) -> dict[str, Any]:
    row: dict[str, Any] = {"key": attempt.key, "stage": attempt.stage, "model": attempt.model}
    result = attempt.result
    if not isinstance(result, Completion):
        error = f"{result.kind}: {result.message}"
        return row | {"error": error, "status": result.status, "finished_at": result.finished_at}
    values = asdict(result)
    row |= values.pop("usage")
    return row | values | {"outcome": str(result.outcome)}
