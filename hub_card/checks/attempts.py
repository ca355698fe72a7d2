"""The calls that were made: counted from 1, each with an outcome or an error, and with results that came back."""

from collections import Counter
from collections.abc import Iterator

from hub_card.checks.rows import Part, Rows
from hub_card.checks.trials import repeated
from hub_card.layout import parquet_path
from hub_card.problems import Broken, Check
from hub_card.redact import is_marker

SAME = ("outcome", "served_model", "stop_reason")
KEYED = {"attempts": "key", "predictions": "key", "responses": "response_key"}
COLUMNS = {"predictions": ("key", "target"), "responses": ("response_key", "target", *SAME)}
RETURNED = ("served_model", "stop_reason", "input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens")


def check_attempts(part: Part) -> Iterator[Check]:
    """Attempts that are miscounted or say two things, and responses that are not what the call for them returned.

    Wants all rows of a key in one part: of attempts, and the `COLUMNS` of predictions and responses.
    """
    yield Check(parquet_path("attempts"), repeated(part["attempts"], ("key", "attempt")))
    yield Check(parquet_path("attempts"), _counted(part["attempts"]))
    yield Check(parquet_path("attempts"), _models(part))
    yield Check(parquet_path("responses"), _returned(part))


def _counted(rows: Rows) -> Iterator[Broken]:
    expected: Counter[str] = Counter()
    for number, row in rows.numbered():
        expected[row["key"]] += 1
        if row["attempt"] != expected[row["key"]]:
            yield Broken(number, "attempt", "want the attempts of a key counted from 1")
        if (row["outcome"] is None) == (row["error"] is None):
            yield Broken(number, "outcome", "want either an outcome or an error")
        if row["error"] is not None and any(row[name] is not None for name in RETURNED):
            yield Broken(number, "", "a call that failed returned nothing: want no model, reason or tokens")


def _models(part: Part) -> Iterator[Broken]:
    asked = {row["key"]: row["target"] for row in part["predictions"]}
    asked |= {row["response_key"]: row["target"] for row in part["responses"]}
    for number, row in part["attempts"].numbered():
        if row["model"] != asked.get(row["key"], row["model"]):
            yield Broken(number, "model", "want the target of the row with this key")


def _returned(part: Part) -> Iterator[Broken]:
    results = {row["key"]: row for row in part["attempts"] if row["outcome"] is not None}
    for number, row in part["responses"].numbered():
        result = results.get(row["response_key"])
        for column in SAME:
            if result and row[column] != result[column] and not (is_marker(row[column]) or is_marker(result[column])):
                yield Broken(number, column, f"differs from {column} of the attempt with this key")
