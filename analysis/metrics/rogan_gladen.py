"""A prevalence corrected for the sensitivity and specificity of the judge that counted it."""

import math
from typing import NamedTuple

from scipy import special

from ..intervals.binomial import Bounds
from .estimate import OK


class CorrectedRate(NamedTuple):
    """The corrected rate; None with the reason in `status` if the judge is no better than chance."""

    value: float | None
    status: str


def rogan_gladen(observed: float, sensitivity: float, specificity: float) -> CorrectedRate:
    """(p + Sp − 1)/(Se + Sp − 1), clipped to [0, 1] with status `clipped` (Rogan & Gladen 1978,
    doi:10.1093/oxfordjournals.aje.a112510). Takes for granted that Se and Sp hold for these rows.
    """
    power = sensitivity + specificity - 1
    if power <= 0:
        return CorrectedRate(None, "undefined_uninformative_judge")
    raw = (observed + specificity - 1) / power
    value = min(max(raw, 0.0), 1.0)
    return CorrectedRate(value, OK if value == raw else "clipped")


def rogan_gladen_interval(
    x: float, n: float, tp: float, n_pos: float, tn: float, n_neg: float, confidence_level: float = 0.95
) -> Bounds:
    """Interval of the corrected rate: x of n judged positive, Se = tp/n_pos and Sp = tn/n_neg estimated apart.

    Lang & Reiczigel 2014 (doi:10.1016/j.prevetmed.2013.09.015), clipped to [0, 1]. None without rows or if the
    adjusted Se + Sp ≤ 1. Counts may be effective.
    """
    if min(n, n_pos, n_neg) <= 0:
        return Bounds(None, None)
    z = float(special.ndtri(0.5 + confidence_level / 2))
    p, se, sp = (x + z**2 / 2) / (n + z**2), (tp + 1) / (n_pos + 2), (tn + 1) / (n_neg + 2)
    power = se + sp - 1
    if power <= 0:
        return Bounds(None, None)
    rate = (p + sp - 1) / power
    var_se, var_sp = se * (1 - se) / (n_pos + 2), sp * (1 - sp) / (n_neg + 2)
    shift = 2 * z**2 * (rate * var_se - (1 - rate) * var_sp)
    half = z / power * math.sqrt(p * (1 - p) / (n + z**2) + rate**2 * var_se + (1 - rate) ** 2 * var_sp)
    return Bounds(min(max(rate + shift - half, 0.0), 1.0), min(max(rate + shift + half, 0.0), 1.0))
