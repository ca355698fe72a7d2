"""What harmful answers a public release withholds: rows in, rows out.

A response is withheld if its request is of level 4 or 5 and its label is not a refusal; a text nobody labelled is
withheld too. With the response go the quotes of judges and the notes of people about it.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
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


def withheld_trials(tables: Rows) -> frozenset[Trial]:
    """The trials whose response may not be public. Levels come from the variants; an unknown one counts as harmful."""
    level = {row.variant_id: row.level for row in tables["variants"]}
    refused = {trial_of(row) for row in tables["labels"] if row.label in REFUSALS}
    asked = {trial_of(row) for name in ("datapoints", "responses", "labels") for row in tables[name]}
    return frozenset(
        trial for trial in asked if level.get(trial.variant_id, 5) in WITHHELD_LEVELS and trial not in refused
    )


def redact(tables: Rows, tier: Tier) -> dict[str, list[Any]]:
    """The tables with everything withheld that the tier withholds; `gated` and `private` keep all text."""
    kept = {name: list(rows) for name, rows in tables.items()}
    if tier != "public":
        return kept
    withheld = withheld_trials(tables)
    keys = {row.response_key for row in tables["responses"] if trial_of(row) in withheld}
    level = {row.variant_id: row.level for row in tables["variants"]}
    kept["datapoints"] = [_datapoint(row) if trial_of(row) in withheld else row for row in kept["datapoints"]]
    kept["responses"] = [_response(row) if trial_of(row) in withheld else row for row in kept["responses"]]
    kept["judgments"] = [_judgment(row) if row.response_key in keys else row for row in kept["judgments"]]
    kept["annotations"] = [
        replace(row, note=withhold(row.note)) if row.response_key in keys else row for row in kept["annotations"]
    ]
    kept["predictions"] = [
        _prediction(row) if level.get(row.variant_id, 5) in WITHHELD_LEVELS else row for row in kept["predictions"]
    ]
    return kept


def withheld_texts(original: Rows, redacted: Rows) -> Iterable[str]:
    """The response and prediction texts that redaction took out."""
    for name in ("responses", "predictions"):
        for before, after in zip(original[name], redacted[name], strict=True):
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


def _prediction(row: Any) -> Any:
    if row.status == PredictionStatus.OK:
        return row
    return replace(row, text=withhold(row.text), reason=withhold(row.reason))
