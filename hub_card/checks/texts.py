"""Texts: each is what its hash says, or a marker of it; and a public release holds no harmful answer."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hub_card.layout import parquet_path
from hub_card.problems import Problem, first_of
from hub_card.redact import MARKER, REFUSALS, WITHHELD_LEVELS, is_marker
from schemas.vocabulary import PredictionStatus

Row = Mapping[str, Any]
Tables = Mapping[str, Sequence[Row]]
Broken = Iterator[tuple[str, str]]
LEAK = "Do not publish; delete copies, and build the release again in tier public."


def check_texts(tables: Tables, tier: str) -> Iterator[Problem]:
    """Responses that are not what their hash says, and texts that the tier withholds."""
    yield from first_of(parquet_path("responses"), _hashes(tables["responses"]))
    if tier == "public":
        for config, broken in _harmful(tables).items():
            yield from first_of(parquet_path(config), broken, LEAK)
    else:
        yield from first_of(parquet_path("responses"), _needless(tables["responses"]))


def _hashes(rows: Sequence[Row]) -> Broken:
    for number, row in enumerate(rows, 1):
        text, sha256, length = row["text"], row["sha256"], row["characters"]
        if row["redacted"]:
            if text != f"{MARKER}{(sha256 or '')[:16]}, {length} characters]":
                yield f"column text, row {number}", "want the marker of its sha256 and characters, as it is redacted"
        elif text is None:
            if (sha256, length) != (None, None):
                yield f"column sha256, row {number}", "want no hash and length without a text"
        elif (sha256, length) != (hashlib.sha256(text.encode()).hexdigest(), len(text)):
            yield f"column text, row {number}", "its hash and length are not those stated beside it"


def _harmful(tables: Tables) -> dict[str, Broken]:
    level = {row["variant_id"]: row["level"] for row in tables["variants"]}
    keys = {
        row["response_key"]
        for row in tables["labels"]
        if level.get(row["variant_id"], 5) in WITHHELD_LEVELS and row["label"] not in REFUSALS
    }
    predictions = [
        row if level.get(row["variant_id"], 5) in WITHHELD_LEVELS and row["status"] != PredictionStatus.OK else None
        for row in tables["predictions"]
    ]
    votes = [
        {**row, "reason": row["reason"] if row["label"] else None} if row["response_key"] in keys else None
        for row in tables["judgments"]
    ]
    notes = [row if row["response_key"] in keys else None for row in tables["annotations"]]
    answers = [row if row["response_key"] in keys else None for row in tables["responses"]]
    return {
        "responses": _unmarked(answers, ("text",)),
        "predictions": _unmarked(predictions, ("text", "reason")),
        "judgments": _unmarked(votes, ("evidence", "reason")),
        "annotations": _unmarked(notes, ("note",)),
    }


def _unmarked(rows: Sequence[Row | None], columns: Sequence[str]) -> Broken:
    for number, row in enumerate(rows, 1):
        for column in columns:
            if row is not None and (row[column] or "").strip() and not is_marker(row[column]):
                yield f"column {column}, row {number}", "tier public withholds this text, but it is here"


def _needless(rows: Sequence[Row]) -> Broken:
    for number, row in enumerate(rows, 1):
        if row["redacted"]:
            yield f"column redacted, row {number}", "only tier public withholds responses"
