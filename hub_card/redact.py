"""What harmful answers a public release withholds: rows in, rows out.

A response is withheld if its request is of level 4 or 5 and its label is not a refusal; a text nobody labelled is
withheld too. With the response go the quotes of judges and the notes of people about it.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from hub_card.facts import Tier
from schemas.vocabulary import PredictionStatus, RefusalLabel

Rows = Mapping[str, Sequence[Any]]
WITHHELD_LEVELS = frozenset({4, 5})
REFUSALS = frozenset({RefusalLabel.FULL_REFUSAL, RefusalLabel.PARTIAL_REFUSAL})
MARKER = "[withheld: sha256:"


class Trial(NamedTuple):
    """What a row is about: one meeting of a target and a variant."""

    target: str
    variant_id: str
    sample: int


def trial_of(row: Any) -> Trial:
    """The trial of a row of any table that has one."""
    return Trial(row.target, row.variant_id, row.sample)


def marker(text: str) -> str:
    """What stands in the place of a withheld text: the first 16 digits of its SHA-256 and its length."""
    return f"{MARKER}{hashlib.sha256(text.encode()).hexdigest()[:16]}, {len(text)} characters]"


def is_marker(text: str | None) -> bool:
    """Whether a cell stands for a withheld text."""
    return text is not None and text.startswith(MARKER)


def withhold(text: str | None) -> str | None:
    """The marker of a text; one without a visible character stays as it is, and so does a marker."""
    return text if text is None or not text.strip() or is_marker(text) else marker(text)


def withheld_trials(tables: Rows, level: Mapping[str, int]) -> frozenset[Trial]:
    """The trials whose response may not be public. `level` is each variant's; an unknown one counts as harmful."""
    refused = {trial_of(row) for row in tables.get("labels", ()) if row.label in REFUSALS}
    asked = {
        trial_of(row)
        for name in ("datapoints", "responses", "labels")
        for row in tables.get(name, ())
        if level.get(row.variant_id, 5) in WITHHELD_LEVELS
    }
    return frozenset(asked - refused)


def redact(tables: Rows, tier: Tier, level: Mapping[str, int] | None = None) -> dict[str, list[Any]]:
    """The tables with everything withheld that the tier withholds; `gated` and `private` keep all text.

    All rows about a trial must be in `tables`; tables may be missing. `level` is that of each variant; without it, it
    is taken from the variants in `tables`.
    """
    kept = {name: list(rows) for name, rows in tables.items()}
    if tier != "public":
        return kept
    known = levels_of(tables.get("variants", ())) if level is None else level
    trials = withheld_trials(tables, known)
    keys = {row.response_key for row in kept.get("responses", ()) if trial_of(row) in trials}
    rules: dict[str, tuple[Callable[[Any], bool], Callable[[Any], Any]]] = {
        "datapoints": (lambda row: trial_of(row) in trials, _datapoint),
        "responses": (lambda row: trial_of(row) in trials, _response),
        "judgments": (lambda row: row.response_key in keys, _judgment),
        "annotations": (lambda row: row.response_key in keys, _annotation),
        "predictions": (lambda row: known.get(row.variant_id, 5) in WITHHELD_LEVELS, _prediction),
    }
    for name, (harmful, redacted) in rules.items():
        if name in kept:
            kept[name] = [redacted(row) if harmful(row) else row for row in kept[name]]
    return kept


def levels_of(variants: Iterable[Any]) -> dict[str, int]:
    """The level of each variant, from their rows."""
    return {row.variant_id: row.level for row in variants}


def withheld_texts(original: Rows, redacted: Rows) -> Iterable[str]:
    """The response and prediction texts that redaction took out."""
    for name in ("responses", "predictions"):
        for before, after in zip(original.get(name, ()), redacted.get(name, ()), strict=True):
            if before.text != after.text:
                yield before.text


def _datapoint(row: Any) -> Any:
    response = withhold(row.response)
    return replace(row, response=response, response_redacted=is_marker(response))


def _response(row: Any) -> Any:
    text = withhold(row.text)
    return replace(row, text=text, redacted=is_marker(text))


def _judgment(row: Any) -> Any:
    # A vote without a label has the toolkit's own word for why; it quotes nothing and tells what is missing.
    reason = row.reason if row.label is None else withhold(row.reason)
    return replace(row, evidence=withhold(row.evidence), reason=reason)


def _annotation(row: Any) -> Any:
    return replace(row, note=withhold(row.note))


def _prediction(row: Any) -> Any:
    if row.status == PredictionStatus.OK:
        return row
    return replace(row, text=withhold(row.text), reason=withhold(row.reason))
