"""Agreement coefficients with cluster intervals: requests are left out one at a time, with all their items."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from ..metrics.agreement import (
    Weights,
    agreement_counts,
    categories_of,
    rating_counts,
    raw_agreement_of,
    weight_matrix,
)
from ..metrics.arrays import Floats, Statistic, flat_rows
from ..metrics.cohen import confusion, kappa_of
from ..metrics.estimate import Estimate, undefined
from ..metrics.gwet import ac_of, gwet_contributions
from ..metrics.krippendorff import Level, alpha_of, coincidences
from ..metrics.table import totals_by_request
from .jackknife import cluster_jackknife

Coefficient = Literal["raw", "gwet", "krippendorff", "cohen"]


def agreement_estimate(
    ratings: npt.ArrayLike,
    request: npt.ArrayLike,
    coefficient: Coefficient,
    categories: Sequence[float] | None = None,
    weights: Weights = "identity",
    level: Level = "nominal",
    confidence_level: float = 0.95,
) -> Estimate:
    """A coefficient of ratings (items, raters; NaN = missing) with its raw cluster jackknife-t, clipped to [−1, 1].

    `request` is the base request of each item. `weights` apply to gwet and cohen, `level` to krippendorff; cohen takes
    the first two raters. `n` counts items with two ratings or more. Undefined (one rater, one category, no variation)
    is None with the reason.
    """
    values = flat_rows(np.asarray(ratings, dtype=np.float64))
    if coefficient == "cohen":
        values = values[:, :2]
    counts = rating_counts(values, categories)
    pairable = counts.sum(axis=1) >= 2
    n_requests = len(np.unique(np.asarray(request)[pairable]))
    n = int(pairable.sum())
    if n == 0:
        return undefined("undefined_single_rater" if counts.any() else "undefined_empty", 0, 0)
    known = categories_of(values, categories)
    if len(known) < 2 and coefficient != "raw":
        return undefined("undefined_one_category", n, n_requests)
    parts, statistic = _parts(values, counts, known, coefficient, weights, level)
    found = cluster_jackknife(
        totals_by_request(request, parts), statistic, "raw", (-1.0, 1.0), confidence_level=confidence_level
    )
    if found.value is None:
        return undefined("undefined_no_variation", n, n_requests)
    return Estimate(found.value, found.low, found.high, n, n_requests, found.status, found.method)


def _parts(
    values: Floats, counts: Floats, known: Floats, coefficient: Coefficient, weights: Weights, level: Level
) -> tuple[Floats, Statistic]:
    matrix = weight_matrix(known, weights)
    match coefficient:
        case "raw":
            return agreement_counts(counts), raw_agreement_of
        case "gwet":
            return gwet_contributions(counts, matrix), lambda totals: ac_of(totals, matrix)
        case "krippendorff":
            return coincidences(counts), lambda totals: alpha_of(totals, known, level)
        case "cohen":
            return confusion(values, known), lambda totals: kappa_of(totals, matrix)
