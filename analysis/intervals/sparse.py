"""Interval of d' and c when a cell of the 2×2 table is nearly empty: Beta posteriors of H and F on effective counts."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from ..metrics.arrays import Floats
from ..metrics.estimate import OK, Estimate, undefined
from ..metrics.sdt import criterion, d_prime, empty_class
from .binomial import Bounds
from .clusters import MIN_REQUESTS, flags
from .jackknife import cluster_jackknife
from .proportion import ratio_variance

SPARSE_CELL = 5
N_NODES = 400


@dataclass(frozen=True, slots=True)
class BetaIntervals:
    """Intervals of d' and c, and the design effects of H and F that widen them."""

    d_prime: Bounds
    criterion: Bounds
    deff_hit: float
    deff_fa: float


def beta_intervals(outcomes: Floats, confidence_level: float = 0.95) -> BetaIntervals:
    """Quantiles of z(H) − z(F) and of −½[z(H) + z(F)] with H ~ Beta(h/D+½, m/D+½), F ~ Beta(f/D+½, r/D+½).

    `outcomes` (requests, 4) = hit, miss, fa, cr. D = max(design effect of the class, of accuracy, 1). The distribution
    is laid out on 400 × 400 equally probable nodes instead of being drawn, so it is exact to ±.005 and needs no seed.
    Raises ValueError if a class is empty.
    """
    hit, miss, fa, cr = outcomes.sum(axis=0)
    if not hit + miss or not fa + cr:
        raise ValueError("the Beta interval needs rows of both classes")
    overall = _design_effect(outcomes[:, [1, 2]].sum(axis=1), outcomes[:, [0, 3]].sum(axis=1))
    deff_hit = max(_design_effect(outcomes[:, 1], outcomes[:, 0]), overall, 1.0)
    deff_fa = max(_design_effect(outcomes[:, 3], outcomes[:, 2]), overall, 1.0)
    nodes = (np.arange(N_NODES) + 0.5) / N_NODES
    z_h = special.ndtri(special.betaincinv(hit / deff_hit + 0.5, miss / deff_hit + 0.5, nodes))
    z_f = special.ndtri(special.betaincinv(fa / deff_fa + 0.5, cr / deff_fa + 0.5, nodes))
    tails = ((1 - confidence_level) / 2, (1 + confidence_level) / 2)
    difference = np.quantile(z_h[:, None] - z_f, tails)
    middle = np.quantile(-(z_h[:, None] + z_f) / 2, tails)
    return BetaIntervals(Bounds(*map(float, difference)), Bounds(*map(float, middle)), deff_hit, deff_fa)


def d_prime_estimate(outcomes: Floats, confidence_level: float = 0.95) -> Estimate:
    """d' of per-request outcomes (requests, 4): jackknife-t on the raw scale, Beta interval if a cell has < 5 rows."""
    return _estimate(outcomes, confidence_level, "d_prime")


def criterion_estimate(outcomes: Floats, confidence_level: float = 0.95) -> Estimate:
    """c of per-request outcomes (requests, 4): jackknife-t on the raw scale, Beta interval if a cell has < 5 rows."""
    return _estimate(outcomes, confidence_level, "criterion")


def _estimate(outcomes: Floats, confidence_level: float, which: str) -> Estimate:
    statistic = d_prime if which == "d_prime" else criterion
    hit, miss, fa, cr = total = outcomes.sum(axis=0)
    n, n_requests = int(total.sum()), int((outcomes.sum(axis=1) > 0).sum())
    missing_class = empty_class(hit + miss, fa + cr)
    if missing_class != OK:
        return undefined(missing_class, n, n_requests)
    if total.min() >= SPARSE_CELL:
        return cluster_jackknife(outcomes, statistic, confidence_level=confidence_level)
    value = float(statistic(total))
    extreme = ["extreme_rate_corrected"] if total.min() == 0 else []
    if n_requests < MIN_REQUESTS:
        return Estimate(value, None, None, n, n_requests, ", ".join([*extreme, "too_few_requests"]), "")
    intervals = beta_intervals(outcomes, confidence_level)
    low, high = intervals.d_prime if which == "d_prime" else intervals.criterion
    status = ", ".join([*extreme, *flags(n_requests)]) or OK
    return Estimate(value, low, high, n, n_requests, status, "Beta on n_eff")


def _design_effect(failures: Floats, successes: Floats) -> float:
    counts = np.stack([failures, successes], axis=-1)
    n, p = counts.sum(), successes.sum() / counts.sum()
    return ratio_variance(counts) / float(p * (1 - p) / n) if 0 < p < 1 and len(counts) > 1 else 1.0
