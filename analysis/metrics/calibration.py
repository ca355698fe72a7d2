"""Calibration of confidence levels: ECE with one bin a level, MCE, and the debiased squared error, under named maps."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from .arrays import Floats, binary_codes, rating_codes, ratio
from .estimate import OK, defined
from .table import N_LEVELS

ConfidenceMap = Literal["k/5", "affine_half_to_one", "midpoint_half", "(k-1)/4", "half_plus_tenth", "level_midpoint"]
MAPS: tuple[ConfidenceMap, ...] = get_args(ConfidenceMap)
MIN_LEVEL_ROWS = 20


@dataclass(frozen=True, slots=True)
class CalibrationError:
    """`ece` = Σ(n_k/n)|acc_k − p_k|, `rms` = √Σ(n_k/n)(acc_k − p_k)², `maximum` over all levels in use, `mce` over
    levels with at least 20 rows, `debiased_squared` (may be negative) and `debiased_rms` = √max(0, ·).

    None where undefined. `n` rows used, `n_dropped` rows without confidence or outcome.
    """

    ece: float | None
    rms: float | None
    maximum: float | None
    mce: float | None
    debiased_squared: float | None
    debiased_rms: float | None
    n: int
    n_dropped: int
    status: str


def map_values(mapping: ConfidenceMap) -> Floats:
    """Probability of being right that each level 1..5 stands for. Raises ValueError for an unknown map."""
    k = np.arange(1, N_LEVELS + 1, dtype=np.float64)
    values: dict[str, Floats] = {
        "k/5": k / 5,
        "affine_half_to_one": 0.5 + (k - 1) / 8,
        "midpoint_half": 0.5 + (k - 0.5) / 10,
        "(k-1)/4": (k - 1) / 4,
        "half_plus_tenth": 0.5 + k / 10,
        "level_midpoint": (k - 0.5) / 5,
    }
    if mapping not in values:
        raise ValueError(f"unknown confidence map {mapping!r}; known are {', '.join(values)}")
    return values[mapping]


def level_counts(confidence: npt.ArrayLike, correct: npt.ArrayLike) -> tuple[Floats, int]:
    """Rows by correctness and level, (2, 5) = [wrong, right] × 1..5, and how many rows were dropped for a null."""
    levels, right = rating_codes(confidence), binary_codes(correct)
    known = (levels > 0) & (right >= 0)
    cell = right[known] * N_LEVELS + levels[known] - 1
    counts = np.bincount(cell, minlength=2 * N_LEVELS).reshape(2, N_LEVELS).astype(np.float64)
    return counts, int((~known).sum())


def ece_levels(confidence: npt.ArrayLike, correct: npt.ArrayLike, mapping: ConfidenceMap = "k/5") -> CalibrationError:
    """Calibration error of rows; see `calibration_error`. Rows with a null are dropped and counted."""
    counts, n_dropped = level_counts(confidence, correct)
    return calibration_error(counts, mapping, n_dropped)


def calibration_error(counts: Floats, mapping: ConfidenceMap = "k/5", n_dropped: int = 0) -> CalibrationError:
    """Calibration error of level counts (2, 5) = [wrong, right]: one bin a level, never bin edges in floats.

    The debiased square is Σ(n_k/n)[(acc_k−p_k)² − acc_k(1−acc_k)/(n_k−1)] over n_k ≥ 2 (Kumar et al. 2019,
    arXiv:1909.10155).
    """
    p, rows = map_values(mapping), counts.sum(axis=0)
    n = int(rows.sum())
    if n == 0:
        return CalibrationError(None, None, None, None, None, None, 0, n_dropped, "undefined_empty")
    gap = np.abs(level_gaps(counts, p))
    squared = float(debiased_squared(counts, p))
    return CalibrationError(
        ece=float(ece(counts, p)),
        rms=float(np.sqrt((rows * np.where(rows > 0, gap, 0) ** 2).sum() / n)),
        maximum=float(gap[rows > 0].max()),
        mce=float(gap[rows >= MIN_LEVEL_ROWS].max()) if (rows >= MIN_LEVEL_ROWS).any() else None,
        debiased_squared=defined(squared),
        debiased_rms=defined(float(np.sqrt(np.fmax(squared, 0.0)))) if not np.isnan(squared) else None,
        n=n,
        n_dropped=n_dropped,
        status=OK,
    )


def level_gaps(counts: Floats, p: Floats) -> Floats:
    """Accuracy minus stated probability of each level, shape (..., 5) from (..., 2, 5); NaN at an empty level."""
    return ratio(counts[..., 1, :], counts.sum(axis=-2)) - p


def ece(counts: Floats, p: Floats) -> Floats:
    """Σ(n_k/n)|acc_k − p_k| of counts (..., 2, 5); NaN without rows."""
    rows = counts.sum(axis=-2)
    return ratio(np.abs(counts[..., 1, :] - p * rows).sum(axis=-1), rows.sum(axis=-1))


def debiased_squared(counts: Floats, p: Floats) -> Floats:
    """Debiased squared calibration error of counts (..., 2, 5); NaN where no level has two rows."""
    rows = counts.sum(axis=-2)
    accuracy = ratio(counts[..., 1, :], rows)
    terms = (accuracy - p) ** 2 - ratio(accuracy * (1 - accuracy), rows - 1)
    used = rows >= 2
    total = np.where(used, rows * np.where(used, terms, 0), 0).sum(axis=-1)
    return np.where(used.any(axis=-1), ratio(total, rows.sum(axis=-1)), np.nan)
