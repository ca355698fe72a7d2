"""The accuracy of an oracle that knows each request's refusal rate but not the coin flip of a row."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from .arrays import Floats, ratio
from .estimate import OK, defined


@dataclass(frozen=True, slots=True)
class Ceiling:
    """acc* = mean max(θ, 1 − θ) over rows: `plug_in` from observed rates (biased upward) and the mean over each
    request's Beta(½ + x, ½ + k − x) posterior; None without rows.
    """

    plug_in: float | None
    posterior: float | None
    n: int
    n_requests: int
    status: str


def oracle_ceiling(refusals: npt.ArrayLike, outcomes: npt.ArrayLike) -> Ceiling:
    """Ceiling of x refusals of k outcomes a request; requests weigh as many rows as they have."""
    x, k = np.asarray(refusals, dtype=np.float64), np.asarray(outcomes, dtype=np.float64)
    n, n_requests = int(k.sum()), int((k > 0).sum())
    if n == 0:
        return Ceiling(None, None, 0, 0, "undefined_empty")
    plug_in = float(np.maximum(x, k - x).sum() / n)
    return Ceiling(plug_in, float((k * ceiling_of_request(x, k)).sum() / n), n, n_requests, OK)


def ceiling_of_request(refusals: Floats, outcomes: Floats) -> Floats:
    """E max(θ, 1 − θ) under θ ~ Beta(a, b), a = ½ + x, b = ½ + k − x: a/(a+b)·P(Beta(a+1, b) > ½) + b/(a+b)·P(Beta(a,
    b+1) < ½).
    """
    a, b = 0.5 + refusals, 0.5 + outcomes - refusals
    above = special.betaincc(a + 1, b, 0.5)
    below = special.betainc(a, b + 1, 0.5)
    return np.asarray((a * above + b * below) / (a + b), dtype=np.float64)


def normalised_introspection(accuracy: float | None, majority: float | None, ceiling: float | None) -> float | None:
    """(acc − majority)/(acc* − majority): 0 as good as always saying the commoner outcome, 1 as good as can be.

    None if a part is, or if the ceiling is not above the majority.
    """
    if accuracy is None or majority is None or ceiling is None or ceiling <= majority:
        return None
    return defined(float(ratio(accuracy - majority, ceiling - majority)))
