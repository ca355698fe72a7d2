"""Gwet's AC1 (nominal) and AC2 (weighted): agreement that stays readable at skewed margins, missing ratings allowed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .agreement import Weights, categories_of, rating_counts, weight_matrix
from .arrays import Floats, ratio
from .estimate import OK, defined


@dataclass(frozen=True, slots=True)
class GwetAgreement:
    """Coefficient, standard error over independent items, observed and chance agreement; None if undefined."""

    coefficient: float | None
    se: float | None
    observed: float | None
    chance: float | None
    n_items: int
    status: str


def gwet_agreement(
    ratings: npt.ArrayLike, weights: Weights = "identity", categories: Sequence[float] | None = None
) -> GwetAgreement:
    """AC = (pa − pe)/(1 − pe) of ratings (items, raters), pe = Σw/(q(q−1)) Σ π_k(1 − π_k) (Gwet 2008,
    doi:10.1348/000711006X126600; standard error Gwet 2014, §5).

    Pass the full list of `categories`: their number q changes the value. None without an item that two raters rated or
    with fewer than two categories. Raises ValueError for a rating that is not among `categories`.
    """
    known = categories_of(ratings, categories)
    matrix = weight_matrix(known, weights)
    counts = rating_counts(ratings, tuple(known))
    counts = counts[counts.sum(axis=1) > 0]
    n_pairable = int((counts.sum(axis=1) >= 2).sum())
    if n_pairable == 0 or len(known) < 2:
        status = "undefined_one_category" if n_pairable else "undefined_single_rater"
        return GwetAgreement(None, None, None, None, n_pairable, status)
    totals = gwet_contributions(counts, matrix).sum(axis=0)
    observed, chance = _observed_and_chance(totals, matrix)
    value = float(ac_of(totals, matrix))
    return GwetAgreement(value, _standard_error(counts, matrix, value), float(observed), float(chance), n_pairable, OK)


def gwet_contributions(counts: Floats, weights: Floats) -> Floats:
    """Of each item: agreement, whether ≥ 2 ratings, whether any, shares by category; (items, q + 3), summable."""
    raters = counts.sum(axis=1)
    shares = np.where(raters[:, None] > 0, ratio(counts, raters[:, None]), 0.0)
    return np.column_stack([_item_agreement(counts, weights), raters >= 2, raters >= 1, shares])


def ac_of(totals: Floats, weights: Floats) -> Floats:
    """AC1/AC2 of summed `gwet_contributions` (..., q + 3); NaN without an item with two ratings."""
    observed, chance = _observed_and_chance(totals, weights)
    return ratio(observed - chance, 1 - chance)


def _observed_and_chance(totals: Floats, weights: Floats) -> tuple[Floats, Floats]:
    q = len(weights)
    shares = ratio(totals[..., 3:], totals[..., 2:3])
    chance = weights.sum() / (q * (q - 1)) * (shares * (1 - shares)).sum(axis=-1)
    return ratio(totals[..., 0], totals[..., 1]), chance


def _item_agreement(counts: Floats, weights: Floats) -> Floats:
    raters = counts.sum(axis=1)
    weighted = (counts * (counts @ weights - 1)).sum(axis=1)
    return np.where(raters >= 2, ratio(weighted, raters * (raters - 1)), 0.0)


def _standard_error(counts: Floats, weights: Floats, value: float) -> float | None:
    n, q, raters = len(counts), len(weights), counts.sum(axis=1)
    if n < 2:
        return None
    _, chance = _observed_and_chance(gwet_contributions(counts, weights).sum(axis=0), weights)
    pairable = raters >= 2
    items = n / pairable.sum() * (_item_agreement(counts, weights) - chance * pairable) / (1 - chance)
    shares = (counts / raters[:, None]).mean(axis=0)
    item_chance = weights.sum() / (q * (q - 1)) * (counts @ (1 - shares)) / raters
    items = items - 2 * (1 - value) * (item_chance - chance) / (1 - chance)
    return defined(math.sqrt(float(((items - value) ** 2).sum()) / (n * (n - 1))))
