"""The published report: every number in it is computed again from the published rows."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analysis import run
from analysis.data import DataError
from hub_card.checks.card_numbers import check_card_numbers
from hub_card.checks.report_file import SUMMARY
from hub_card.layout import ANALYSIS, REPORT
from hub_card.problems import Problem

ACTION = f"Build the release again; if its rows are sound, compute with the versions in {ANALYSIS}/requirements.txt."


def check_numbers(release: Path) -> Iterator[Problem]:
    """Tables of report/ that the analysis of the same rows does not give, and parts of the card that do not follow.

    Wants a release that `validate_release` finds sound.
    """
    if not (release / SUMMARY).is_file():
        yield Problem(SUMMARY, "", "the release has no report to compare with", "Build it with its report.")
        return
    with tempfile.TemporaryDirectory() as folder:
        try:
            again = json.loads(run(release, Path(folder)).as_json())
            published: Any = json.loads((release / SUMMARY).read_text(encoding="utf-8"))
        except (DataError, OSError, ValueError, RecursionError) as error:
            yield Problem(SUMMARY, "", f"cannot be computed again: {error}")
            return
        yield from _differing_tables(release / REPORT, Path(folder))
    if not isinstance(published, dict) or not isinstance(published.get("tables"), dict):
        yield Problem(SUMMARY, "", "want a JSON object with tables")
        return
    for name in sorted(published["tables"].keys() | again["tables"].keys()):
        if published["tables"].get(name) != again["tables"].get(name):
            yield Problem(SUMMARY, f"tables.{name}", "differs from what the published rows give", ACTION)
    if {**published, "tables": None} != {**again, "tables": None}:
        yield Problem(SUMMARY, "", "settings, targets or counts differ from what the published rows give", ACTION)
    yield from check_card_numbers(release, again["tables"].get("headline", []))


def _differing_tables(published: Path, again: Path) -> Iterator[Problem]:
    for file in sorted(again.glob("tables/*")):
        name = file.relative_to(again).as_posix()
        if not (published / name).is_file() or (published / name).read_bytes() != file.read_bytes():
            yield Problem(f"{REPORT}/{name}", "", "differs from what the published rows give", ACTION)
