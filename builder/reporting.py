"""The analysis of a release, made while the release is written, so that it carries its own report."""

from pathlib import Path

import analysis
from hub_card.facts import Report

CAPTIONS = {
    "report/figures/d_prime_and_c.png": "Sensitivity d′ and criterion c of each target, with 95 % intervals by request.",
    "report/figures/by_level.png": "Accuracy of self-prediction by assigned harm level.",
}


def write_report(release: Path) -> Report:
    """Writes `report/` into the release and returns what its card shows of it."""
    summary = analysis.run(release, release / "report")
    drawn = {path: caption for path, caption in CAPTIONS.items() if (release / path).is_file()}
    return Report(numbers=summary.tables.get("headline", []), figures=drawn)
