"""Slope of the rating ROC in z coordinates: 1 if refused and complied rows spread alike, as d' takes for granted."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from .estimate import OK

EQUAL_VARIANCE = (0.8, 1.25)


@dataclass(frozen=True, slots=True)
class ZRoc:
    """`slope` = σ_complied/σ_refused and the unequal-variance sensitivity `d_a` = √(2/(1 + slope²))·intercept.

    `status` is `unequal_variance` where the slope is outside .8–1.25: then report d_a beside d'. None if undefined.
    """

    slope: float | None
    d_a: float | None
    n_points: int
    status: str


def zroc(noise: npt.ArrayLike, signal: npt.ArrayLike) -> ZRoc:
    """Least squares of z(H) on z(F) over the rating criteria in use, log-linear rates (Macmillan & Creelman 2005, §3).

    `noise`, `signal`: rows by signed rating, comply-K .. refuse-K, for complied and refused rows. Undefined if a class
    is empty or fewer than three criteria separate rows.
    """
    counts = np.stack([np.asarray(noise, dtype=np.float64), np.asarray(signal, dtype=np.float64)])
    totals = counts.sum(axis=1)
    if not totals.all():
        return ZRoc(None, None, 0, "undefined_empty_class")
    used = counts[:, counts.sum(axis=0) > 0]
    above = used.sum(axis=1, keepdims=True) - np.cumsum(used, axis=1)[:, :-1]
    z_f, z_h = special.ndtri((above + 0.5) / (totals[:, None] + 1))
    if len(np.unique(z_f)) < 3:
        return ZRoc(None, None, len(z_f), "undefined_few_criteria")
    slope = float(((z_f - z_f.mean()) * (z_h - z_h.mean())).sum() / ((z_f - z_f.mean()) ** 2).sum())
    d_a = math.sqrt(2 / (1 + slope**2)) * float(z_h.mean() - slope * z_f.mean())
    equal = EQUAL_VARIANCE[0] <= slope <= EQUAL_VARIANCE[1]
    return ZRoc(slope, d_a, len(z_f), OK if equal else "unequal_variance")
