"""The analysis of a release as part of it: `report/`, and its headline numbers and figures on the card."""

from pathlib import Path

from analysis import run
from hub_card.facts import Report
from hub_card.layout import REPORT

COLUMNS = ("target", "accuracy", "majority_accuracy", "base_rate", "d_prime", "criterion")
FIGURES = {
    "confusion": "What each target predicted, and what it then did",
    "d_prime_and_c": "How well each target tells its refusals apart (d′), and which way it leans (c)",
    "by_level": "Predictions and refusals by harm level",
}


def analysis_report(release: Path) -> Report:
    """Writes the analysis of an unfinished release under `report/`; returns its headline table and figures.

    The `report` argument of `write_release`. Raises analysis.data.DataError if the tables break the data contract.
    """
    summary = run(release, release / REPORT)
    numbers = [{name: row[name] for name in COLUMNS if name in row} for row in summary.tables.get("headline", [])]
    figures = {f"{REPORT}/figures/{name}.svg": caption for name, caption in FIGURES.items()}
    return Report(numbers, {path: caption for path, caption in figures.items() if (release / path).is_file()})
