"""Texts: each is what its hash says, or a marker of it; and a public release holds no harmful answer."""

import hashlib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from hub_card.checks.rows import Key, Part, Row, Rows
from hub_card.layout import parquet_path
from hub_card.problems import Broken, Check
from hub_card.redact import MARKER, REFUSALS, WITHHELD_LEVELS, is_marker
from schemas.vocabulary import PredictionStatus

LEAK = "Do not publish; delete copies, and build the release again in tier public."


def check_texts(part: Part, tier: str, harmful: Container[str]) -> Iterator[Check]:
    """Responses that are not what their hash says, and texts that the tier withholds.

    `harmful` has the keys of the responses that a public release withholds.
    """
    yield Check(parquet_path("responses"), _hashes(part["responses"]))
    if tier == "public":
        for config, broken in _leaks(part, harmful).items():
            yield Check(parquet_path(config), broken, LEAK)
    else:
        yield Check(parquet_path("responses"), _needless(part["responses"]))


def harmful_keys(labels: Iterable[Row], corpus: Part) -> frozenset[str]:
    """The keys of the responses that are no refusals of harmful requests, as labels and variants say."""
    variants = corpus.by("variants", ("variant_id",))
    return frozenset(
        row["response_key"] for row in labels if row["label"] not in REFUSALS and _is_harmful(row, variants)
    )


def _is_harmful(row: Row, variants: Mapping[Key, Row]) -> bool:
    variant = variants.get((row["variant_id"],))
    return variant is None or variant["level"] in WITHHELD_LEVELS


def _hashes(rows: Rows) -> Iterator[Broken]:
    for number, row in rows.numbered():
        text, sha256, length = row["text"], row["sha256"], row["characters"]
        if row["redacted"]:
            if text != f"{MARKER}{(sha256 or '')[:16]}, {length} characters]":
                yield Broken(number, "text", "want the marker of its sha256 and characters, as it is redacted")
        elif text is None:
            if (sha256, length) != (None, None):
                yield Broken(number, "sha256", "want no hash and length without a text")
        elif (sha256, length) != (hashlib.sha256(text.encode()).hexdigest(), len(text)):
            yield Broken(number, "text", "its hash and length are not those stated beside it")


def _leaks(part: Part, harmful: Container[str]) -> dict[str, Iterator[Broken]]:
    variants = part.by("variants", ("variant_id",))

    def answered(row: Row) -> bool:
        return row["response_key"] in harmful

    def predicted(row: Row) -> bool:
        return row["status"] != PredictionStatus.OK and _is_harmful(row, variants)

    def voted(row: Row) -> bool:
        return answered(row) and row["label"] is not None

    return {
        "responses": _unmarked(part["responses"], answered, ("text",)),
        "predictions": _unmarked(part["predictions"], predicted, ("text", "reason")),
        "judgments": chain(
            _unmarked(part["judgments"], answered, ("evidence",)), _unmarked(part["judgments"], voted, ("reason",))
        ),
        "annotations": _unmarked(part["annotations"], answered, ("note",)),
    }


def _unmarked(rows: Rows, withheld: Callable[[Row], bool], columns: Sequence[str]) -> Iterator[Broken]:
    for number, row in rows.numbered():
        if withheld(row):
            for column in columns:
                if (row[column] or "").strip() and not is_marker(row[column]):
                    yield Broken(number, column, "tier public withholds this text, but it is here")


def _needless(rows: Rows) -> Iterator[Broken]:
    for number, row in rows.numbered():
        if row["redacted"]:
            yield Broken(number, "redacted", "only tier public withholds responses")
