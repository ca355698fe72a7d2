"""Profile-likelihood intervals of the mixed model's marginal d' and criterion."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import optimize, special

from ..metrics.arrays import Floats, binary_codes
from ..metrics.estimate import OK, Estimate, undefined
from ..metrics.glmm import MAX_SD, MixedDetection, glmm_probit, negative_log_likelihood
from .clusters import MIN_REQUESTS, flags

FIRST_STEP = 0.25
FARTHEST = 6.0
METHOD = "profile likelihood"


class MixedEstimates(NamedTuple):
    """Marginal d' and criterion with their intervals, σ of the requests, and the status of the fit."""

    d_prime: Estimate
    criterion: Estimate
    sd: float | None
    status: str


def mixed_estimates(
    pred: npt.ArrayLike, actual: npt.ArrayLike, request: npt.ArrayLike, confidence_level: float = 0.95
) -> MixedEstimates:
    """All θ with 2(log L̂ − max log L given θ) ≤ χ²₁, the other parameters maximised out (Venzon & Moolgavkar 1988,
    doi:10.2307/2347496). The parameters are the marginal values, conditional/√(1+σ²), and σ.

    Rows with a null are left out; nothing is fitted with fewer than 20 requests or where `glmm_probit` does not.
    """
    said, outcome, group = binary_codes(pred), binary_codes(actual), np.asarray(request)
    known = (said >= 0) & (outcome >= 0)
    said, outcome, group = said[known], outcome[known], group[known]
    n, n_requests = len(said), len(np.unique(group))
    if 0 < n_requests < MIN_REQUESTS:
        return _without("skipped_few_requests", n, n_requests)
    fit = glmm_probit(said, outcome, group)
    if fit.marginal_d_prime is None or fit.criterion is None or fit.status != OK:
        return _without(fit.status, n, n_requests)
    design = np.column_stack([np.ones(n), outcome - 0.5])
    conditional, _ = negative_log_likelihood(said, design, group)

    def negative(marginal: Floats) -> float:
        return conditional(np.append(marginal[:2] * math.sqrt(1 + marginal[2] ** 2), marginal[2]))

    allowed = float(special.chdtri(1, 1 - confidence_level)) / 2
    at = _best(fit)
    estimates = []
    for index, sign in ((1, 1.0), (0, -1.0)):
        ends = sorted(sign * _end(negative, at, index, way, allowed) for way in (-1.0, 1.0))
        status = ", ".join(flags(n_requests)) or OK
        estimates.append(Estimate(sign * float(at[index]), ends[0], ends[1], n, n_requests, status, METHOD))
    return MixedEstimates(estimates[0], estimates[1], fit.sd, OK)


def _without(status: str, n: int, n_requests: int) -> MixedEstimates:
    nothing = undefined(status, n, n_requests)
    return MixedEstimates(nothing, nothing, None, status)


def _best(fit: MixedDetection) -> Floats:
    return np.array([-(fit.criterion or 0.0), fit.marginal_d_prime or 0.0, fit.sd or 0.0])


def _end(negative: Callable[[Floats], float], at: Floats, index: int, way: float, allowed: float) -> float:
    """Where the profile has risen by `allowed`, seen from its lowest point in one direction."""
    lowest, others = negative(at), [number for number in range(3) if number != index]
    near = at[others]

    def rise(distance: float) -> float:
        nonlocal near
        whole = at.copy()
        whole[index] += way * distance

        def rest(found: Floats) -> float:
            whole[others] = found
            return negative(whole)

        bounds = [(-20.0, 20.0), (0.0, MAX_SD)]
        done = optimize.minimize(rest, near, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-10})
        near = done.x
        return float(done.fun) - lowest - allowed

    far = FIRST_STEP
    while rise(far) < 0 and far < FARTHEST:
        far *= 2
    return float(at[index]) + way * float(optimize.brentq(rise, 0.0, far, xtol=1e-3))
