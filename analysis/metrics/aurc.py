"""Area under the risk–coverage curve, exact under ties: the mean over random orders of equally confident rows."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

from .arrays import Floats, binary_codes, ratio
from .estimate import defined


class RiskCoverage(NamedTuple):
    """AURC, its excess over the best order of the same errors, that optimum, and the error rate (a random order)."""

    aurc: float | None
    e_aurc: float | None
    optimal: float | None
    random: float | None


def aurc(confidence: npt.ArrayLike, correct: npt.ArrayLike) -> RiskCoverage:
    """Risk–coverage areas of rows with any numeric confidence; rows with a null are left out. None without rows."""
    values, right = np.asarray(confidence, dtype=np.float64), binary_codes(correct)
    known = ~np.isnan(values) & (right >= 0)
    levels, row = np.unique(values[known], return_inverse=True)
    counts = np.zeros((2, len(levels)))
    np.add.at(counts, (right[known], row), 1)
    return risk_coverage(counts)


def risk_coverage(counts: Floats) -> RiskCoverage:
    """Risk–coverage areas of counts (2, levels) = [wrong, right] by ascending confidence."""
    area, best = float(aurc_of_counts(counts)), float(optimal_aurc(counts))
    error_rate = float(ratio(counts[0].sum(), counts.sum()))
    return RiskCoverage(defined(area), defined(area - best), defined(best), defined(error_rate))


def aurc_of_counts(counts: Floats) -> Floats:
    """(1/n) Σ_j E[risk of the j most confident rows] of counts (..., 2, levels), ascending confidence; NaN if empty.

    After N rows with E errors, a level of m rows with e errors adds e + (E − N e/m)(H_{N+m} − H_N), H harmonic numbers.
    """
    down = counts[..., ::-1]
    errors, rows = down[..., 0, :], down.sum(axis=-2)
    n_after, e_before = np.cumsum(rows, axis=-1), np.cumsum(errors, axis=-1) - errors
    n_before = n_after - rows
    rate = np.where(rows > 0, ratio(errors, rows), 0)
    harmonic = special.digamma(n_after + 1) - special.digamma(n_before + 1)
    area = errors + (e_before - n_before * rate) * harmonic
    return ratio(area.sum(axis=-1), rows.sum(axis=-1))


def optimal_aurc(counts: Floats) -> Floats:
    """AURC if every error were less confident than every right row: (1/n)[e − (n−e)(H_n − H_{n−e})]; NaN if empty."""
    errors, n = counts[..., 0, :].sum(axis=-1), counts.sum(axis=(-2, -1))
    right = n - errors
    return ratio(errors - right * (special.digamma(n + 1) - special.digamma(right + 1)), n)


def e_aurc(counts: Floats) -> Floats:
    """AURC minus its optimum, of counts (..., 2, levels); NaN if empty."""
    return aurc_of_counts(counts) - optimal_aurc(counts)
