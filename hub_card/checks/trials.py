"""Across tables: the same trials everywhere, and the same values wherever a value stands twice."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from hub_card.layout import parquet_path
from hub_card.problems import Problem, first_of

Row = Mapping[str, Any]
Tables = Mapping[str, Sequence[Row]]
Broken = Iterator[tuple[str, str]]

TRIAL = ("target", "variant_id", "sample")
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
    "attempts": ("key", "attempt"),
}
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
    ("annotations", "responses", ("response_key",)): {},
    ("predictions", "variants", ("variant_id",)): {},
}


def check_trials(tables: Tables) -> Iterator[Problem]:
    """Repeated keys, trials that only some tables have, and values that differ between tables."""
    for config, key in KEYS.items():
        yield from first_of(parquet_path(config), _repeated(tables[config], key))
    planned = {_key(row, TRIAL) for row in tables["datapoints"]}
    for config in ("predictions", "responses", "labels"):
        yield from first_of(parquet_path(config), _unplanned(tables[config], planned))
    for (config, other, key), columns in SAME.items():
        yield from first_of(parquet_path(config), _differing(tables[config], tables[other], other, key, columns))
    yield from first_of(parquet_path("variants"), _misnamed(tables))


def _key(row: Row, names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(row[name] for name in names)


def _repeated(rows: Iterable[Row], key: Sequence[str]) -> Broken:
    seen: set[tuple[Any, ...]] = set()
    for number, row in enumerate(rows, 1):
        found = _key(row, key)
        if found in seen:
            yield f"row {number}", f"{', '.join(key)} must name one row, but a row before has the same"
        seen.add(found)


def _unplanned(rows: Sequence[Row], planned: set[tuple[Any, ...]]) -> Broken:
    for number, row in enumerate(rows, 1):
        if _key(row, TRIAL) not in planned:
            yield f"row {number}", "datapoints has no row of this target, variant_id and sample"
    if len(planned) > len(rows):
        yield "", f"has {len(rows)} rows for {len(planned)} datapoints: want one each"


def _differing(
    rows: Iterable[Row], others: Iterable[Row], other: str, key: Sequence[str], columns: Mapping[str, str]
) -> Broken:
    known = {_key(row, key): row for row in others}
    for number, row in enumerate(rows, 1):
        match = known.get(_key(row, key))
        if match is None:
            yield f"row {number}", f"{other} has no row of this {', '.join(key)}"
            continue
        for column, theirs in columns.items():
            if row[column] != match[theirs]:
                yield f"column {column}, row {number}", f"differs from {theirs} of {other}"


def _misnamed(tables: Tables) -> Broken:
    texts = {row["request_id"]: row["text"] for row in tables["requests"]}
    for number, row in enumerate(tables["variants"], 1):
        if row["variant_id"] != f"{row['request_id']}-v{row['variant']}":
            yield f"column variant_id, row {number}", "want the request_id, -v and the variant"
        if row["variant"] == 0 and row["text"] != texts.get(row["request_id"]):
            yield f"column text, row {number}", "variant 0 must be the text of its request"
        if (row["kind"] is None) != (row["variant"] == 0):
            yield f"column kind, row {number}", "want a kind for paraphrases and none for variant 0"
