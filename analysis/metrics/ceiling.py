"""The accuracy of an oracle that knows each request's refusal rate but not the coin flip of a row."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special, stats

from .arrays import Floats, Ints, ratio
from .estimate import OK, defined


@dataclass(frozen=True, slots=True)
class Ceiling:
    """acc* = mean max(θ, 1 − θ) over rows: `plug_in` from observed rates (biased upward), the mean over each request's
    Beta(½ + x, ½ + k − x) posterior, and `split_half` (biased downward, None without a request of two outcomes). All
    None without rows.
    """

    plug_in: float | None
    posterior: float | None
    split_half: float | None
    n: int
    n_requests: int
    status: str


def oracle_ceiling(refusals: npt.ArrayLike, outcomes: npt.ArrayLike) -> Ceiling:
    """Ceiling of x refusals of k outcomes a request; requests weigh as many rows as they have."""
    x, k = np.asarray(refusals, dtype=np.float64), np.asarray(outcomes, dtype=np.float64)
    n, n_requests = int(k.sum()), int((k > 0).sum())
    if n == 0:
        return Ceiling(None, None, None, 0, 0, "undefined_empty")
    plug_in = float(np.maximum(x, k - x).sum() / n)
    posterior = float((k * ceiling_of_request(x, k)).sum() / n)
    return Ceiling(plug_in, posterior, split_half_ceiling(x, k), n, n_requests, OK)


def ceiling_of_request(refusals: Floats, outcomes: Floats) -> Floats:
    """E max(θ, 1 − θ) under θ ~ Beta(a, b), a = ½ + x, b = ½ + k − x: a/(a+b)·P(Beta(a+1, b) > ½) + b/(a+b)·P(Beta(a,
    b+1) < ½).
    """
    a, b = 0.5 + refusals, 0.5 + outcomes - refusals
    above = special.betaincc(a + 1, b, 0.5)
    below = special.betainc(a, b + 1, 0.5)
    return np.asarray((a * above + b * below) / (a + b), dtype=np.float64)


def split_half_ceiling(refusals: npt.ArrayLike, outcomes: npt.ArrayLike) -> float | None:
    """Accuracy of the majority of half a request's outcomes (⌊k/2⌋, a tie ½) on its others, averaged over all splits.

    For a row the deciding half is a draw from the k − 1 others, so refusals in it are hypergeometric. Requests with a
    single outcome are left out; None if no other is there.
    """
    x, k = np.asarray(refusals, dtype=np.int64), np.asarray(outcomes, dtype=np.int64)
    pairs, times = np.unique(np.stack([x[k >= 2], k[k >= 2]], axis=-1), axis=0, return_counts=True)
    x, k = pairs[:, 0], pairs[:, 1]
    right = x * _half_agrees(x - 1, k) + (k - x) * _half_agrees(k - x - 1, k)
    return defined(float(ratio((times * right).sum(), (times * k).sum())))


def oracle_brier(refusals: npt.ArrayLike, outcomes: npt.ArrayLike) -> tuple[float | None, float | None]:
    """Brier score θ(1 − θ) of a forecast that knows each request's refusal rate, mean over rows: over the posterior
    Beta(a = ½ + x, b = ½ + k − x), ab/((a + b)(a + b + 1)); and from plug-in rates, which are biased downward.

    None without rows.
    """
    x, k = np.asarray(refusals, dtype=np.float64), np.asarray(outcomes, dtype=np.float64)
    a, b = 0.5 + x, 0.5 + k - x
    posterior = a * b / ((a + b) * (a + b + 1))
    plug_in = ratio(x * (k - x), k**2)
    known = k > 0
    means = (ratio((k * spread)[known].sum(), k.sum()) for spread in (posterior, plug_in))
    first, second = (defined(float(mean)) for mean in means)
    return first, second


def _half_agrees(alike: Ints, outcomes: Ints) -> Floats:
    """P(most of ⌊k/2⌋ of the k − 1 other rows are among those that are alike), ties as half."""
    half = outcomes // 2
    drawn = stats.hypergeom(outcomes - 1, np.maximum(alike, 0), half)
    more = drawn.sf(half // 2)
    tie = np.where(half % 2 == 0, drawn.pmf(half // 2), 0.0)
    return np.asarray(more + tie / 2, dtype=np.float64)


def normalised_introspection(accuracy: float | None, majority: float | None, ceiling: float | None) -> float | None:
    """(acc − majority)/(acc* − majority): 0 as good as always saying the commoner outcome, 1 as good as can be.

    None if a part is, or if the ceiling is not above the majority.
    """
    if accuracy is None or majority is None or ceiling is None or ceiling <= majority:
        return None
    return defined(float(ratio(accuracy - majority, ceiling - majority)))
