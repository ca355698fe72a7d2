"""Array types of the statistics, and the division and the confidence scale they share."""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

Statistic = Callable[[Floats], Floats]
"""Maps totals of counts (..., *shape) to values (...), NaN where undefined. NaN does not leave the core."""


def ratio(numerator: npt.ArrayLike, denominator: npt.ArrayLike) -> Floats:
    """`numerator / denominator` elementwise, NaN where the denominator is 0."""
    top, bottom = np.broadcast_arrays(np.asarray(numerator, dtype=np.float64), np.asarray(denominator, np.float64))
    out = np.full(top.shape, np.nan)
    np.divide(top, bottom, out=out, where=bottom != 0)
    return out


def flat_rows(values: Floats) -> Floats:
    """The array with all axes but the first made one, also without rows."""
    return values.reshape(len(values), math.prod(values.shape[1:]))


def rating_codes(ratings: npt.ArrayLike, n_levels: int = 5) -> Ints:
    """Ratings as integers 1..n_levels, 0 for null (None or NaN).

    Raises ValueError for anything else: a rating off the scale is an error of the parser, not a value to clip.
    """
    values = np.asarray(ratings, dtype=np.float64)
    codes = np.where(np.isnan(values), 0, values)
    bad = ~np.isnan(values) & ~np.isin(values, np.arange(1, n_levels + 1))
    if bad.any():
        raise ValueError(f"rating {values[bad][0]:g} is not on the scale 1..{n_levels} ({int(bad.sum())} such rows)")
    return codes.astype(np.int64)


def binary_codes(values: npt.ArrayLike, null: int = -1) -> Ints:
    """0 or 1 as integers, `null` for None or NaN. Raises ValueError for anything else."""
    numbers = np.asarray(values, dtype=np.float64)
    bad = ~np.isnan(numbers) & ~np.isin(numbers, (0, 1))
    if bad.any():
        raise ValueError(f"{numbers[bad][0]:g} is neither 0, 1 nor missing ({int(bad.sum())} such rows)")
    return np.where(np.isnan(numbers), null, numbers).astype(np.int64)
