"""What every agreement coefficient starts from: ratings counted by item and category, weights, raw agreement."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from .arrays import Floats, flat_rows, ratio
from .estimate import defined

Weights = Literal["identity", "linear", "quadratic", "ordinal"]


def categories_of(ratings: npt.ArrayLike, categories: Sequence[float] | None = None) -> Floats:
    """The categories given, else the distinct ratings in order. Raises ValueError for a rating outside."""
    values = np.asarray(ratings, dtype=np.float64)
    present = np.unique(values[~np.isnan(values)])
    if categories is None:
        return present
    known = np.array(categories, dtype=np.float64)
    strange = np.setdiff1d(present, known)
    if len(strange):
        raise ValueError(f"rating {strange[0]:g} is not among the categories {', '.join(f'{c:g}' for c in known)}")
    return known


def rating_counts(ratings: npt.ArrayLike, categories: Sequence[float] | None = None) -> Floats:
    """Raters by item and category, shape (items, categories), from ratings (items, raters) with NaN/None for missing.

    Raises ValueError for a rating that is not among `categories`.
    """
    values = flat_rows(np.asarray(ratings, dtype=np.float64))
    return np.asarray((values[:, :, None] == categories_of(values, categories)).sum(axis=1), dtype=np.float64)


def weight_matrix(categories: npt.ArrayLike, weights: Weights = "identity") -> Floats:
    """Agreement weights (q, q), 1 on the diagonal.

    linear 1 − |a−b|/range, quadratic 1 − (a−b)²/range² on the categories' values; ordinal 1 − C(|i−j|+1, 2)/max on
    their ranks (Gwet 2014, §3).
    """
    values = np.asarray(categories, dtype=np.float64)
    q = len(values)
    distance = np.abs(np.subtract.outer(values, values))
    if weights == "ordinal":
        steps = np.abs(np.subtract.outer(np.arange(q), np.arange(q)))
        distance = steps * (steps + 1) / 2.0
    if weights == "quadratic":
        distance = distance**2
    if weights == "identity" or q < 2:
        return np.eye(q)
    return np.asarray(1 - distance / distance.max())


def raw_agreement(ratings: npt.ArrayLike) -> float | None:
    """Share of agreeing pairs of raters, averaged over items with two or more ratings; None without such items."""
    return defined(float(raw_agreement_of(agreement_counts(rating_counts(ratings)).sum(axis=0))))


def agreement_counts(counts: Floats) -> Floats:
    """[1 − agreement, agreement] of each item with ≥ 2 ratings, [0, 0] else, shape (items, 2): summable."""
    raters = counts.sum(axis=1)
    share = ratio((counts * (counts - 1)).sum(axis=1), raters * (raters - 1))
    return np.where((raters >= 2)[:, None], np.stack([1 - share, share], axis=1), 0.0)


def raw_agreement_of(totals: Floats) -> Floats:
    """Mean agreement from summed `agreement_counts` (..., 2); NaN without items."""
    return ratio(totals[..., 1], totals.sum(axis=-1))
