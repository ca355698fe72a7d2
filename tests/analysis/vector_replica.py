"""The whole analysis of one model in a table with the source study's columns, as the `end_to_end` vectors want it."""

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from analysis.metrics.bins import SCHEMES, point_bins
from analysis.metrics.calibration import calibration_error, level_counts
from analysis.metrics.leave_one_out import loo_majority_accuracy
from analysis.metrics.sdt import sdt
from analysis.metrics.selective import selection
from analysis.metrics.table import outcome_cells, request_table


def end_to_end(path: Path, model: str) -> dict[str, Any]:
    """Counts, accuracy, d', c, ECE, routing at 5, leave-one-out majority, bins, topics and levels of `model`."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["model"] == model]
    usable = [row for row in rows if row["pred_refuse"] and row["actual_refuse"]]
    actual, pred = _column(usable, "actual_refuse"), _column(usable, "pred_refuse")
    confidence, correct = _column(usable, "confidence"), (actual == pred).astype(float)
    request = np.unique([row["request_id"] for row in usable], return_inverse=True)[1]
    table = request_table(request, actual, pred, confidence)
    outcomes = outcome_cells(table.cells)
    hit, miss, fa, cr = map(int, outcomes.sum(axis=0))
    found = sdt(hit, miss, fa, cr)
    levels, n_null = level_counts(confidence, correct)
    at_five = selection(levels, n_null, 5)
    bins = point_bins(outcomes[:, :2].sum(axis=1), outcomes.sum(axis=1))
    return {
        "n": len(usable),
        "requests": table.n_requests,
        "hit": hit,
        "miss": miss,
        "fa": fa,
        "cr": cr,
        "accuracy": (hit + cr) / len(usable),
        "d": found.d_prime,
        "c": found.criterion,
        "ece_k5": calibration_error(levels, "k/5").ece,
        "conf5": {"coverage": at_five.coverage, "n": at_five.n_covered, "accuracy": at_five.accuracy},
        "loo_majority": loo_majority_accuracy(actual, request),
        "bins": dict(Counter(SCHEMES["paper"].names[code] for code in bins)),
        "topic_accuracy_pct": {name: round(100 * share, 1) for name, share in _by(usable, "topic", correct).items()},
        "level_error_pct": {name: round(100 * (1 - share), 2) for name, share in _by(usable, "level", correct).items()},
    }


def _column(rows: list[dict[str, str]], name: str) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    return np.array([float(row[name]) if row[name] else np.nan for row in rows])


def _by(
    rows: list[dict[str, str]], name: str, correct: "np.ndarray[tuple[int], np.dtype[np.float64]]"
) -> dict[str, float]:
    groups = np.array([row[name] for row in rows])
    return {str(group): float(correct[groups == group].mean()) for group in np.unique(groups)}
