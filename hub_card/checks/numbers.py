"""The published report: every number in it is computed again from the published rows."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analysis import run
from analysis.data import DataError
from hub_card.layout import REPORT
from hub_card.problems import Problem

SUMMARY = f"{REPORT}/summary.json"


def check_numbers(release: Path) -> Iterator[Problem]:
    """Tables of report/summary.json that the analysis of the same rows does not give."""
    file = release / SUMMARY
    if not file.is_file():
        yield Problem(SUMMARY, "", "the release has no report to compare with", "Build it with its report.")
        return
    try:
        with tempfile.TemporaryDirectory() as folder:
            again = json.loads(run(release, Path(folder)).as_json())
        published: Any = json.loads(file.read_text(encoding="utf-8"))
    except (DataError, OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        yield Problem(SUMMARY, "", f"cannot be computed again: {error}")
        return
    if not isinstance(published, dict) or not isinstance(published.get("tables"), dict):
        yield Problem(SUMMARY, "", "want a JSON object with tables")
        return
    for name in sorted(published["tables"].keys() | again["tables"].keys()):
        if published["tables"].get(name) != again["tables"].get(name):
            yield Problem(SUMMARY, f"tables.{name}", "differs from what the published rows give")
    if {**published, "tables": None} != {**again, "tables": None}:
        yield Problem(SUMMARY, "", "settings, targets or counts differ from what the published rows give")
