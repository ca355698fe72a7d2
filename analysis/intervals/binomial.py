"""Intervals of a binomial proportion: Wilson, Clopper–Pearson, Jeffreys; counts may be effective, not whole."""

import math
from typing import NamedTuple

from scipy import special


class Bounds(NamedTuple):
    """An interval; both None where it does not exist."""

    low: float | None
    high: float | None


def wilson(x: float, n: float, confidence_level: float = 0.95) -> Bounds:
    """Wilson's score interval (1927, doi:10.1080/01621459.1927.10502953); None without trials."""
    if n == 0:
        return Bounds(None, None)
    p, z2 = x / n, float(special.ndtri(0.5 + confidence_level / 2)) ** 2
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return Bounds(0.0 if x == 0 else max(0.0, middle - half), 1.0 if x == n else min(1.0, middle + half))


def clopper_pearson(x: float, n: float, confidence_level: float = 0.95) -> Bounds:
    """Exact interval from Beta quantiles (Clopper & Pearson 1934, doi:10.1093/biomet/26.4.404); None without trials."""
    if n == 0:
        return Bounds(None, None)
    tail = (1 - confidence_level) / 2
    low = float(special.betaincinv(x, n - x + 1, tail)) if x > 0 else 0.0
    high = float(special.betaincinv(x + 1, n - x, 1 - tail)) if x < n else 1.0
    return Bounds(low, high)


def clopper_pearson_upper(x: float, n: float, level: float) -> float:
    """Upper bound that a proportion exceeds with probability ≤ `level`; 1 without trials."""
    return float(special.betaincinv(x + 1, n - x, 1 - level)) if x < n else 1.0


def jeffreys(x: float, n: float, confidence_level: float = 0.95) -> Bounds:
    """Quantiles of Beta(x + ½, n − x + ½), with 0 and 1 as bounds at x = 0 and x = n; None without trials."""
    if n == 0:
        return Bounds(None, None)
    tail = (1 - confidence_level) / 2
    low = float(special.betaincinv(x + 0.5, n - x + 0.5, tail)) if x > 0 else 0.0
    high = float(special.betaincinv(x + 0.5, n - x + 0.5, 1 - tail)) if x < n else 1.0
    return Bounds(low, high)
