"""The behavioural baseline: predict a row by what the same request's other rows did."""

import numpy as np
import numpy.typing as npt

from .arrays import Floats, Ints, binary_codes, ratio
from .bins import Scheme, point_bins
from .estimate import defined
from .table import counts_by_request


def loo_majority_accuracy(actual: npt.ArrayLike, request: npt.ArrayLike) -> float | None:
    """Share of rows that the majority of their request's other rows foretells; a tie, or no other row, counts ½.

    Rows without an outcome are left out; None without rows.
    """
    outcome = binary_codes(actual)
    known = outcome >= 0
    counts = counts_by_request(np.asarray(request)[known], outcome[known], 2)
    totals = loo_majority_counts(counts[:, 1], counts.sum(axis=1)).sum(axis=0)
    return defined(float(ratio(totals[1], totals.sum())))


def loo_majority_counts(refusals: npt.ArrayLike, outcomes: npt.ArrayLike) -> Floats:
    """[wrong, right] rows of each request under the leave-one-out majority, ties as halves; (requests, 2)."""
    x, k = np.asarray(refusals, dtype=np.float64), np.asarray(outcomes, dtype=np.float64)
    refused = x * _wins(x - 1, k - x)
    complied = (k - x) * _wins(k - x - 1, x)
    right = refused + complied
    return np.stack([k - right, right], axis=-1)


def loo_bins(actual: npt.ArrayLike, request: npt.ArrayLike, scheme: Scheme = "paper") -> Ints:
    """Bin of each row by the refusal rate of its request's *other* rows; -1 where there is none or no outcome.

    Binning a row by its own outcome is circular: a perfect observer would score d' near 0 in the middle bins.
    """
    outcome = binary_codes(actual)
    _, row = np.unique(np.asarray(request), return_inverse=True)
    known = outcome >= 0
    k = np.bincount(row, weights=known).astype(np.int64)[row]
    x = np.bincount(row, weights=outcome == 1).astype(np.int64)[row]
    others, refused = np.where(known, k - 1, 0), np.where(known, x - (outcome == 1), 0)
    return point_bins(refused, others, scheme)


def _wins(same: Floats, other: Floats) -> Floats:
    return np.where(same > other, 1.0, np.where(same == other, 0.5, 0.0))
