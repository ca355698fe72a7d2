"""Cluster jackknife-t: leave out one request at a time, on the raw or the logit scale; deterministic."""

import math
from typing import Literal

import numpy as np
from scipy import special

from ..metrics.arrays import Floats, Statistic, flat_rows
from ..metrics.estimate import OK, Estimate, undefined
from .binomial import Bounds
from .clusters import MIN_REQUESTS, LeaveOneOut, flags, leave_one_out, patterns
from .proportion import boundary_interval

Scale = Literal["raw", "logit"]
EVERYWHERE = (-math.inf, math.inf)


def cluster_jackknife(
    counts: Floats,
    statistic: Statistic,
    scale: Scale = "raw",
    support: tuple[float, float] = EVERYWHERE,
    confidence_level: float = 0.95,
    boundary_n: float | None = None,
) -> Estimate:
    """θ̂ with L(θ̂) ± t_{G−1}·SE, SE² = (G−1)/G Σ(L(θ̂₋g) − mean)², L the identity or the logit.

    `counts` are per request, (requests, *shape); `statistic` maps totals (..., *shape) to values (...), NaN where
    undefined. `support` clips a raw interval. On the logit scale, where a θ̂ or θ̂₋g is 0 or 1 the interval is
    Clopper–Pearson on n_eff of `boundary_n` rows (default: all). Without 20 requests there is no interval.
    """
    found = patterns(counts)
    n, n_requests = int(flat_rows(found.counts).sum(axis=1) @ found.multiplicity), found.n_requests
    if n_requests == 0:
        return undefined("undefined_empty", 0, 0)
    total = np.tensordot(found.multiplicity.astype(np.float64), found.counts, axes=1)
    value = float(statistic(total))
    if math.isnan(value):
        return undefined("undefined", n, n_requests)
    if n_requests < MIN_REQUESTS:
        return Estimate(value, None, None, n, n_requests, "too_few_requests", "")
    left_out = leave_one_out(found, total, statistic)
    if np.isnan(left_out.values).any():
        return Estimate(value, None, None, n, n_requests, "rests_on_one_request", "")
    status = ", ".join(flags(n_requests)) or OK
    on_edge = np.isin([value, *left_out.values], (0.0, 1.0)).any()
    if scale == "logit" and on_edge:
        low, high = boundary_interval(value, n if boundary_n is None else boundary_n, n_requests, confidence_level)
        return Estimate(value, low, high, n, n_requests, status, "Clopper–Pearson on n_eff")
    low, high = jackknife_bounds(value, left_out, scale, confidence_level)
    if scale == "raw" and low is not None and high is not None:
        low, high = max(low, support[0]), min(high, support[1])
    return Estimate(value, low, high, n, n_requests, status, f"cluster jackknife-t, {scale}")


def jackknife_se(left_out: LeaveOneOut, scale: Scale = "raw") -> float:
    """Standard error on the scale of L; needs values inside (0, 1) for the logit."""
    values = special.logit(left_out.values) if scale == "logit" else left_out.values
    weight = left_out.multiplicity
    n_requests = int(weight.sum())
    mean = float((weight * values).sum() / n_requests)
    return math.sqrt((n_requests - 1) / n_requests * float((weight * (values - mean) ** 2).sum()))


def jackknife_bounds(value: float, left_out: LeaveOneOut, scale: Scale, confidence_level: float) -> Bounds:
    """L⁻¹(L(θ̂) ± t·SE)."""
    quantile = float(special.stdtrit(int(left_out.multiplicity.sum()) - 1, 0.5 + confidence_level / 2))
    half = quantile * jackknife_se(left_out, scale)
    if scale == "raw":
        return Bounds(value - half, value + half)
    middle = float(special.logit(value))
    return Bounds(float(special.expit(middle - half)), float(special.expit(middle + half)))
