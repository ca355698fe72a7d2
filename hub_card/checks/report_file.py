"""The summary of a report: that it has the form of one; its numbers are compared by `numbers`."""

import json
from collections.abc import Iterator
from pathlib import Path

from hub_card.layout import REPORT
from hub_card.problems import Problem, spelled

SUMMARY = f"{REPORT}/summary.json"
# Of `analysis.summary.Summary`, which is not imported: it brings in all of the statistics.
KEYS = ("schema", "source", "settings", "targets", "n_rows", "n_used", "tables")


def check_summary(release: Path) -> Iterator[Problem]:
    """What is wrong with the form of report/summary.json; nothing if the release has none."""
    file = release / SUMMARY
    if not file.is_file():
        return
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        yield Problem(SUMMARY, "", f"cannot be read as JSON: {error}")
        return
    if not isinstance(found, dict) or set(found) != set(KEYS):
        yield Problem(SUMMARY, "", f"want a JSON object with {', '.join(KEYS)}")
    elif not isinstance(found["tables"], dict):
        yield Problem(SUMMARY, "tables", f"want an object, got {spelled(found['tables'])}")
