"""The calls that were made: counted from 1, each with an outcome or an error, and with results that came back."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hub_card.layout import parquet_path
from hub_card.problems import Problem, first_of
from hub_card.redact import is_marker

Row = Mapping[str, Any]
Tables = Mapping[str, Sequence[Row]]
Broken = Iterator[tuple[str, str]]
SAME = ("outcome", "served_model", "stop_reason")
RETURNED = ("served_model", "stop_reason", "input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens")


def check_attempts(tables: Tables) -> Iterator[Problem]:
    """Attempts that are miscounted or say two things, and responses that are not what the call for them returned."""
    yield from first_of(parquet_path("attempts"), _counted(tables["attempts"]))
    yield from first_of(parquet_path("attempts"), _models(tables))
    yield from first_of(parquet_path("responses"), _returned(tables))


def _counted(rows: Sequence[Row]) -> Broken:
    expected: Counter[str] = Counter()
    for number, row in enumerate(rows, 1):
        expected[row["key"]] += 1
        if row["attempt"] != expected[row["key"]]:
            yield f"column attempt, row {number}", "want the attempts of a key counted from 1"
        if (row["outcome"] is None) == (row["error"] is None):
            yield f"column outcome, row {number}", "want either an outcome or an error"
        if row["error"] is not None and any(row[name] is not None for name in RETURNED):
            yield f"row {number}", "a call that failed returned nothing: want no model, reason or tokens"


def _models(tables: Tables) -> Broken:
    asked = {row["key"]: row["target"] for row in tables["predictions"]}
    asked |= {row["response_key"]: row["target"] for row in tables["responses"]}
    for number, row in enumerate(tables["attempts"], 1):
        if row["model"] != asked.get(row["key"], row["model"]):
            yield f"column model, row {number}", "want the target of the row with this key"


def _returned(tables: Tables) -> Broken:
    results = {row["key"]: row for row in tables["attempts"] if row["outcome"] is not None}
    for number, row in enumerate(tables["responses"], 1):
        result = results.get(row["response_key"])
        for column in SAME:
            if result and row[column] != result[column] and not (is_marker(row[column]) or is_marker(result[column])):
                yield f"column {column}, row {number}", f"differs from {column} of the attempt with this key"
