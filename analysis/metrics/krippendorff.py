"""Krippendorff's alpha: any number of raters, missing ratings allowed."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from .agreement import categories_of, rating_counts
from .arrays import Floats, ratio
from .estimate import defined

Level = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(
    ratings: npt.ArrayLike, level: Level = "nominal", categories: Sequence[float] | None = None
) -> float | None:
    """α = 1 − Do/De of ratings (items, raters) from the coincidence matrix (Krippendorff 2011).

    Items with fewer than two ratings are dropped. None without pairs or without variation.
    Raises ValueError for a rating that is not among `categories`.
    """
    known = categories_of(ratings, categories)
    totals = coincidences(rating_counts(ratings, tuple(known))).sum(axis=0)
    return defined(float(alpha_of(totals, known, level)))


def coincidences(counts: Floats) -> Floats:
    """Ordered pairs of ratings of each item, weighted 1/(m−1), shape (items, q, q): summable over requests."""
    raters = counts.sum(axis=1)
    pairs = counts[:, :, None] * counts[:, None, :]
    diagonal = np.arange(counts.shape[1])
    pairs[:, diagonal, diagonal] -= counts
    weight = np.where(raters >= 2, ratio(1, raters - 1), 0.0)
    return np.asarray(pairs * weight[:, None, None])


def alpha_of(totals: Floats, categories: Floats, level: Level) -> Floats:
    """α of coincidence matrices (..., q, q); NaN without pairs or without variation."""
    marginal = totals.sum(axis=-1)
    n = marginal.sum(axis=-1)
    squared = _squared_distance(marginal, categories, level)
    observed = (totals * squared).sum(axis=(-2, -1))
    expected = (marginal[..., :, None] * marginal[..., None, :] * squared).sum(axis=(-2, -1))
    return np.asarray(1 - (n - 1) * ratio(observed, expected), dtype=np.float64)


def _squared_distance(marginal: Floats, categories: Floats, level: Level) -> Floats:
    if level == "nominal":
        return 1 - np.eye(len(categories))
    if level == "interval":
        return np.asarray((categories[:, None] - categories) ** 2)
    middle = np.cumsum(marginal, axis=-1) - marginal / 2
    return np.asarray((middle[..., :, None] - middle[..., None, :]) ** 2)
