"""The reports a release carries: of its corpus and of its numbers, made while it is written."""

from collections.abc import Sequence
from pathlib import Path

import analysis
from annotation.pairs import PairSummary
from builder.corpus_report.write import write_corpus_report
from hub_card.facts import Report, Reporter
from schemas.records import Request

CAPTIONS = {
    "report/figures/d_prime_and_c.png": "Sensitivity d′ and criterion c of each target, 95 % intervals by request.",
    "report/figures/by_level.png": "Accuracy of self-prediction by assigned harm level.",
}


def reporter(requests: Sequence[Request], people: PairSummary | None = None) -> Reporter:
    """What writes `report/` into a release (numbers and `corpus_report.*`), and tells its card the headline numbers.

    `people` is what people said of the paraphrases.
    """

    def write(release: Path) -> Report:
        summary = analysis.run(release, release / "report")
        write_corpus_report(requests, release / "report", people=people)
        drawn = {path: caption for path, caption in CAPTIONS.items() if (release / path).is_file()}
        return Report(numbers=summary.tables.get("headline", []), figures=drawn)

    return write
