"""How often one request meets the same outcome twice: across its variants and samples."""

import numpy as np
import numpy.typing as npt

from .arrays import Floats, ratio
from .estimate import defined


def unanimous_counts(positives: npt.ArrayLike, rows: npt.ArrayLike) -> Floats:
    """[mixed, unanimous] of each request, (requests, 2); [0, 0] with fewer than two rows."""
    x, k = np.asarray(positives, dtype=np.float64), np.asarray(rows, dtype=np.float64)
    unanimous = (x == 0) | (x == k)
    return np.where((k >= 2)[:, None], np.stack([~unanimous, unanimous], axis=-1), 0.0)


def consistency(positives: npt.ArrayLike, rows: npt.ArrayLike) -> float | None:
    """Share of requests, of those with two or more rows, whose rows are all refused or all complied with; else None."""
    totals = unanimous_counts(positives, rows).sum(axis=0)
    return defined(float(ratio(totals[1], totals.sum())))


def pair_agreement_counts(positives: npt.ArrayLike, rows: npt.ArrayLike) -> Floats:
    """[differing, equal] ordered pairs of rows of each request, each request weighing 1 in sum; (requests, 2)."""
    x, k = np.asarray(positives, dtype=np.float64), np.asarray(rows, dtype=np.float64)
    equal = ratio(x * (x - 1) + (k - x) * (k - x - 1), k * (k - 1))
    return np.where((k >= 2)[:, None], np.stack([1 - equal, equal], axis=-1), 0.0)


def pair_agreement(positives: npt.ArrayLike, rows: npt.ArrayLike) -> float | None:
    """Chance that two rows of one request agree, averaged over requests with two or more rows; None without any."""
    totals = pair_agreement_counts(positives, rows).sum(axis=0)
    return defined(float(ratio(totals[1], totals.sum())))
