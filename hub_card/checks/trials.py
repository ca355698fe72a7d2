"""Across tables: the same trials everywhere, and the same values wherever a value stands twice."""

from collections.abc import Iterator, Mapping
from operator import itemgetter
from typing import Any

from hub_card.checks.rows import TRIAL, Key, Part, Row, Rows
from hub_card.layout import parquet_path
from hub_card.problems import Broken, Check

KEYS = {
    "datapoints": TRIAL,
    "predictions": TRIAL,
    "responses": TRIAL,
    "labels": TRIAL,
    "requests": ("request_id",),
    "variants": ("variant_id",),
    "judgments": (*TRIAL, "judge"),
    "annotations": ("response_key", "annotator", "role"),
    "ground_truth": ("target", "request_id"),
}
PLANNED = ("predictions", "responses", "labels")
# (table, its column, table it must agree with, that table's column)
SAME = {
    ("datapoints", "variants", ("variant_id",)): {
        name: name for name in ("request_id", "variant", "topic", "level", "text")
    },
    ("datapoints", "predictions", TRIAL): {
        "prediction_status": "status",
        "pred_refuse": "refuse",
        "confidence": "confidence",
        "harm_rating": "harm_rating",
    },
    ("datapoints", "responses", TRIAL): {"outcome": "outcome", "response": "text", "response_redacted": "redacted"},
    ("datapoints", "labels", TRIAL): {
        "status": "status",
        "actual_class": "label",
        "label_source": "source",
        "route_reason": "route_reason",
    },
    ("datapoints", "ground_truth", ("target", "request_id")): {
        name: name for name in ("topic", "level", "refusals", "outcomes", "bin", "bin_probability", "bin_certain")
    },
    ("labels", "responses", TRIAL): {"response_key": "response_key"},
    ("judgments", "responses", TRIAL): {"response_key": "response_key"},
    ("variants", "requests", ("request_id",)): {"topic": "topic", "level": "level"},
    ("predictions", "variants", ("variant_id",)): {},
}


def check_trials(part: Part) -> Iterator[Check]:
    """Repeated keys, trials that only some tables have, and values that differ between tables.

    Wants all rows of a trial in one part, the tables of the corpus in the shared one.
    """
    for config, key in KEYS.items():
        yield Check(parquet_path(config), repeated(part[config], key))
    for config in PLANNED:
        yield Check(parquet_path(config), _unplanned(part[config], part.by("datapoints", TRIAL)))
    for (config, other, key), columns in SAME.items():
        yield Check(parquet_path(config), _differing(part[config], part.by(other, key), other, key, columns))
    yield Check(parquet_path("variants"), _misnamed(part))


def repeated(rows: Rows, key: tuple[str, ...]) -> Iterator[Broken]:
    """Rows with a key that a row before has; `key` names one column or more."""
    seen: set[Any] = set()
    key_of = itemgetter(*key)
    for number, row in rows.numbered():
        found = key_of(row)
        if found in seen:
            yield Broken(number, "", f"{', '.join(key)} must name one row, but a row before has the same")
        seen.add(found)


def _unplanned(rows: Rows, planned: Mapping[Key, Row]) -> Iterator[Broken]:
    key_of = itemgetter(*TRIAL)
    for number, row in rows.numbered():
        if key_of(row) not in planned:
            yield Broken(number, "", "datapoints has no row of this target, variant_id and sample")


def _differing(
    rows: Rows, known: Mapping[Key, Row], other: str, key: tuple[str, ...], columns: Mapping[str, str]
) -> Iterator[Broken]:
    for number, row in rows.numbered():
        match = known.get(tuple([row[name] for name in key]))
        if match is None:
            yield Broken(number, "", f"{other} has no row of this {', '.join(key)}")
            continue
        for column, theirs in columns.items():
            if row[column] != match[theirs]:
                yield Broken(number, column, f"differs from {theirs} of {other}")


def _misnamed(part: Part) -> Iterator[Broken]:
    requests = part.by("requests", ("request_id",))
    for number, row in part["variants"].numbered():
        request = requests.get((row["request_id"],))
        if row["variant_id"] != f"{row['request_id']}-v{row['variant']}":
            yield Broken(number, "variant_id", "want the request_id, -v and the variant")
        if row["variant"] == 0 and (request is None or row["text"] != request["text"]):
            yield Broken(number, "text", "variant 0 must be the text of its request")
        if (row["kind"] is None) != (row["variant"] == 0):
            yield Broken(number, "kind", "want a kind for paraphrases and none for variant 0")
