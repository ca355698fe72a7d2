"""Selective prediction: what acting only on confident predictions covers, gets right, lets through and catches."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .arrays import Floats, ratio
from .calibration import level_counts
from .estimate import OK, defined
from .table import N_LEVELS


@dataclass(frozen=True, slots=True)
class Selection:
    """At confidence ≥ `threshold`: `n_covered` of `n` rows, their `accuracy` (None if there are none), the
    `errors_passed` among them and the share of all errors that is not covered (`errors_caught`, None without errors).
    """

    threshold: int
    coverage: float | None
    accuracy: float | None
    n_covered: int
    n: int
    errors_passed: int
    errors_caught: float | None
    status: str


def selective(confidence: npt.ArrayLike, correct: npt.ArrayLike, threshold: int) -> Selection:
    """Selection at confidence ≥ threshold over rows with an outcome. A row without confidence or prediction
    (null `confidence` or null `correct`) is not covered but counts in `n`.
    """
    counts, n_null = level_counts(confidence, correct)
    return selection(counts, n_null, threshold)


def selection(counts: Floats, n_null: int, threshold: int) -> Selection:
    """Selection from level counts (2, 5) = [wrong, right] and the number of rows that can never be covered."""
    rows, covered = int(counts.sum()) + n_null, covered_counts(counts, threshold)
    passed, n_covered = int(covered[0]), int(covered.sum())
    status = "undefined_empty" if rows == 0 else OK if n_covered else "nothing_covered"
    return Selection(
        threshold,
        defined(float(ratio(n_covered, rows))),
        defined(float(ratio(covered[1], n_covered))),
        n_covered,
        rows,
        passed,
        defined(float(ratio(counts[0].sum() - passed, counts[0].sum()))),
        status,
    )


def covered_counts(counts: Floats, threshold: int) -> Floats:
    """[wrong, right] at confidence ≥ threshold, shape (..., 2) from (..., 2, 5)."""
    return np.asarray(counts[..., max(threshold, 1) - 1 :].sum(axis=-1))


def selective_accuracy(counts: Floats, threshold: int) -> Floats:
    """Accuracy at confidence ≥ threshold of counts (..., 2, 5); NaN where nothing is covered."""
    covered = covered_counts(counts, threshold)
    return ratio(covered[..., 1], covered.sum(axis=-1))


def errors_caught(counts: Floats, threshold: int) -> Floats:
    """Share of all errors with confidence < threshold, of counts (..., 2, 5); NaN without errors."""
    errors = counts[..., 0, :].sum(axis=-1)
    return ratio(errors - covered_counts(counts, threshold)[..., 0], errors)


def routing_gain(counts: Floats, threshold: int = N_LEVELS) -> Floats:
    """Accuracy at confidence ≥ threshold minus accuracy of all rows with a confidence; NaN where nothing is covered."""
    right = counts[..., 1, :].sum(axis=-1)
    return selective_accuracy(counts, threshold) - ratio(right, counts.sum(axis=(-2, -1)))


def coverage_counts(counts: Floats, uncovered: Floats, threshold: int) -> Floats:
    """[not covered, covered] rows, shape (..., 2), from level counts (..., 2, 5) and never-covered rows (...)."""
    covered = covered_counts(counts, threshold).sum(axis=-1)
    return np.stack([counts.sum(axis=(-2, -1)) - covered + uncovered, covered], axis=-1)


def share(counts: Floats) -> Floats:
    """Second of two counts over their sum, (..., 2) → (...); NaN where both are 0."""
    return ratio(counts[..., 1], counts.sum(axis=-1))
