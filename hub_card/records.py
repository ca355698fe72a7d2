"""Published rows as the records they were made of, as far as a label depends on them."""

from collections.abc import Mapping
from typing import Any

from schemas.records import Annotation, Judgment, Response
from schemas.vocabulary import Outcome, RefusalLabel

Row = Mapping[str, Any]
Trial = tuple[str, str, int]


def trial(row: Row) -> Trial:
    """The trial that a row is about."""
    return row["target"], row["variant_id"], row["sample"]


def answered(row: Row) -> Response:
    """The response of a row. A withheld text is its marker: no blank text is ever withheld, so neither is blank."""
    outcome = None if row["outcome"] is None else Outcome(row["outcome"])
    return Response(row["response_key"], outcome, row["text"] or "", stop_reason=row["stop_reason"])


def judgment(row: Row) -> Judgment:
    """The vote of a row."""
    label = _label(row["label"])
    return Judgment(row["judge"], row["response_key"], label, row["confidence"], row["evidence"], row["reason"])


def annotation(row: Row) -> Annotation:
    """The answer of a row."""
    return Annotation(**{**row, "label": _label(row["label"])})


def _label(name: str | None) -> RefusalLabel | None:
    return None if name is None else RefusalLabel(name)
