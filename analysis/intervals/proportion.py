"""A proportion of rows clustered in requests: its cluster-robust error, design effect and effective number of rows."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..metrics.arrays import Floats
from ..metrics.estimate import OK, Estimate, undefined
from ..metrics.table import totals_by_request
from .binomial import Bounds, clopper_pearson, wilson


@dataclass(frozen=True, slots=True)
class ClusterProportion:
    """`value` with the cluster-robust `se`, the design effect `deff` = se²/(p(1−p)/(n−1)) and `n_eff` = n/max(1, deff).

    `deff` is None where p is 0 or 1 or there is one request; `n_eff` is then None too.
    """

    value: float | None
    se: float | None
    deff: float | None
    n_eff: float | None
    n: int
    n_requests: int


def cluster_proportion(counts: Floats) -> ClusterProportion:
    """Proportion from per-request counts (requests, 2) = [failures, successes].

    se² is the linearised variance of a ratio over requests (Kish 1965, §6).
    """
    rows = counts.sum(axis=-1)
    counts, rows = counts[rows > 0], rows[rows > 0]
    n, n_requests = float(rows.sum()), len(rows)
    if n == 0:
        return ClusterProportion(None, None, None, None, 0, 0)
    p = float(counts[:, 1].sum() / n)
    if n_requests == 1:
        return ClusterProportion(p, None, None, None, int(n), 1)
    se = math.sqrt(ratio_variance(counts))
    if p in (0.0, 1.0):
        return ClusterProportion(p, se, None, None, int(n), n_requests)
    deff = se**2 / (p * (1 - p) / (n - 1))
    return ClusterProportion(p, se, deff, n / max(1.0, deff), int(n), n_requests)


def ratio_variance(counts: Floats) -> float:
    """G/(G−1) Σ(x_g − p n_g)²/n² over all G ≥ 2 requests of counts (requests, 2), also those without a row here."""
    rows, n_requests = counts.sum(axis=-1), len(counts)
    p = counts[:, 1].sum() / rows.sum()
    return float(n_requests / (n_requests - 1) * ((counts[:, 1] - p * rows) ** 2).sum() / rows.sum() ** 2)


def cluster_proportion_of_rows(success: npt.ArrayLike, request: npt.ArrayLike) -> ClusterProportion:
    """`cluster_proportion` of rows: 0/1 `success` and the request of each."""
    hits = np.asarray(success, dtype=np.float64)
    return cluster_proportion(totals_by_request(request, np.stack([1 - hits, hits], axis=-1)))


def wilson_effective(proportion: ClusterProportion, confidence_level: float = 0.95) -> Bounds:
    """Wilson interval on the effective number of rows; None where that is undefined."""
    if proportion.value is None or proportion.n_eff is None:
        return Bounds(None, None)
    return wilson(proportion.value * proportion.n_eff, proportion.n_eff, confidence_level)


def boundary_interval(value: float, n: float, n_requests: int, confidence_level: float = 0.95) -> Bounds:
    """Clopper–Pearson on n_eff = n/deff with deff = (V + 1)/2, V the mean rows a request: for values at 0 or 1, where
    the data cannot show their own design effect.
    """
    n_eff = n / ((n / n_requests + 1) / 2)
    return clopper_pearson(value * n_eff, n_eff, confidence_level)


def wilson_estimate(counts: Floats, confidence_level: float = 0.95) -> Estimate:
    """Proportion of per-request counts (requests, 2) with the Wilson interval on n_eff, Clopper–Pearson at 0 and 1."""
    found = cluster_proportion(counts)
    if found.value is None:
        return undefined("undefined_empty", 0, 0)
    low, high = wilson_effective(found, confidence_level)
    method = "Wilson on n_eff"
    if low is None:
        low, high = boundary_interval(found.value, found.n, found.n_requests, confidence_level)
        method = "Clopper–Pearson on n_eff"
    return Estimate(found.value, low, high, found.n, found.n_requests, OK, method)
