"""The account of growing as files in the run directory; every model's text is escaped to ASCII."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from builder.growth.facts import lost_paraphrases
from builder.growth.records import CellAccount, Grown

SUMMARY = "growth.json"
CANDIDATES = "candidates.jsonl"
ATTEMPTS = "paraphrases.jsonl"
VERIFICATION = "verification.jsonl"


def write_growth(grown: Grown, run: Path) -> None:
    """Writes every candidate, attempt and verification a line, and the summary. The same record gives the same bytes.

    Raises OSError if `run` cannot be written.
    """
    _replace(run / CANDIDATES, _lines(grown.candidates))
    _replace(run / ATTEMPTS, _lines(grown.attempts))
    _replace(run / VERIFICATION, _lines(grown.verifications))
    _replace(run / SUMMARY, json.dumps(growth_summary(grown), indent=2, sort_keys=True) + "\n")


def growth_summary(grown: Grown) -> dict[str, Any]:
    """Counts of what was wanted, made and missing, cell by cell and in all."""
    verdicts: dict[str, Counter[str]] = {"bundled": Counter(), "generated": Counter()}
    for item in grown.verifications:
        verdicts["generated" if item.generated else "bundled"][str(item.verdict)] += 1
    kept = Counter(str(attempt.kind) for attempt in grown.attempts if attempt.status == "kept")
    return {
        "requests": {"in_corpus": len(grown.requests), "missing": grown.missing_requests},
        "cells": [_cell(cell) for cell in grown.cells],
        "paraphrases": {
            "wanted": grown.paraphrases_wanted,
            "kept_by_kind": kept,
            "missing": grown.missing_paraphrases,
            "missing_by_last_attempt": Counter(str(attempt.status) for attempt in lost_paraphrases(grown)),
            "attempts": Counter(str(attempt.status) for attempt in grown.attempts),
        },
        "meaning_band": grown.meaning,
        "people": None if grown.people is None else asdict(grown.people),
        "verification": verdicts,
    }


def _cell(cell: CellAccount) -> dict[str, Any]:
    return asdict(cell) | {"missing": cell.missing}


def _lines(records: Iterable[Any]) -> str:
    return "".join(f"{json.dumps(asdict(record), sort_keys=True)}\n" for record in records)


def _replace(path: Path, text: str) -> None:
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="ascii", newline="\n")
    part.replace(path)
