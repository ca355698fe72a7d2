"""Cohen's kappa of two raters, plain or weighted."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .agreement import Weights, categories_of, weight_matrix
from .arrays import Floats, ratio
from .estimate import defined


def cohen_kappa(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    weights: Weights = "identity",
    categories: Sequence[float] | None = None,
) -> float | None:
    """κ = (po − pe)/(1 − pe) (Cohen 1968, doi:10.1037/h0026256) over items rated by both; None if pe = 1 or no items.

    Raises ValueError for a rating that is not among `categories`.
    """
    pairs = np.stack([np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)], axis=-1)
    known = categories_of(pairs, categories)
    return defined(float(kappa_of(confusion(pairs, known).sum(axis=0), weight_matrix(known, weights))))


def confusion(pairs: Floats, categories: Floats) -> Floats:
    """One cell a pair, shape (items, q, q), all 0 where a rating is missing: summable over requests."""
    first, second = pairs[:, :1] == categories, pairs[:, 1:] == categories
    return np.asarray(first[:, :, None] & second[:, None, :], dtype=np.float64)


def kappa_of(table: Floats, weights: Floats) -> Floats:
    """κ of joint counts (..., q, q); NaN if pe = 1 or without counts."""
    n = table.sum(axis=(-2, -1))
    observed = ratio((table * weights).sum(axis=(-2, -1)), n)
    expected = ratio(np.einsum("...i,ij,...j->...", table.sum(axis=-1), weights, table.sum(axis=-2)), n * n)
    room = np.where(np.isclose(expected, 1.0, rtol=0, atol=1e-12), 0.0, 1 - expected)
    return ratio(observed - expected, room)
