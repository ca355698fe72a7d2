"""Choosing a confidence threshold: what it costs, on requests it was not chosen on, and with a guarantee."""

from dataclasses import dataclass

import numpy as np

from ..intervals.binomial import clopper_pearson_upper
from ..intervals.proportion import cluster_proportion
from .arrays import Floats, Ints, ratio
from .estimate import OK, defined
from .selective import covered_counts, selective_accuracy
from .table import N_LEVELS

THRESHOLDS = tuple(range(N_LEVELS, 0, -1))


@dataclass(frozen=True, slots=True)
class RoutingCost:
    """Cost of acting at confidence ≥ threshold and sending the rest to review: total, and a row."""

    threshold: int
    false_alarms: int
    misses: int
    routed: int
    cost: float
    cost_per_row: float | None


@dataclass(frozen=True, slots=True)
class GuaranteedThreshold:
    """Smallest threshold whose risk is below target with confidence 1 − δ, and the bound there; None if none is."""

    threshold: int | None
    upper_risk: float | None
    coverage: float | None
    status: str


@dataclass(frozen=True, slots=True)
class FoldedSelection:
    """Covered and right rows when each fold's threshold comes from the other folds; `thresholds` has one a fold
    (0: no threshold reached the target there, nothing was covered). `covered` is per request, [wrong, right].
    """

    thresholds: tuple[int, ...]
    covered: Floats
    coverage: float | None
    accuracy: float | None


def levels_where_predicted(cells: Floats, pred: int) -> Floats:
    """[wrong, right] × level of the rows with this prediction, (..., 2, 5) from cells (..., 2, 3, 6)."""
    chosen = cells[..., pred, 1:]
    return chosen if pred == 1 else chosen[..., ::-1, :]


def cost_curve(cells: Floats, false_alarm: float, miss: float, review: float) -> tuple[RoutingCost, ...]:
    """C(t) = c_FA·FA + c_miss·misses + c_review·routed for t = 5..1, of totals (2, 3, 6) = outcome × prediction ×
    confidence. Rows without prediction or confidence are always routed.
    """
    curve = []
    for threshold in THRESHOLDS:
        acted = cells[:, :2, threshold:].sum(axis=-1)
        alarms, misses = float(acted[0, 1]), float(acted[1, 0])
        routed = float(cells.sum() - acted.sum())
        cost = false_alarm * alarms + miss * misses + review * routed
        per_row = defined(float(ratio(cost, cells.sum())))
        curve.append(RoutingCost(threshold, int(alarms), int(misses), int(routed), cost, per_row))
    return tuple(curve)


def guaranteed_threshold(levels: Floats, target_risk: float, delta: float = 0.05) -> GuaranteedThreshold:
    """Thresholds tested from the strictest on, until the Clopper–Pearson upper bound (level δ, on n_eff) of the error
    rate among covered rows exceeds `target_risk`; a fixed sequence needs no correction (Bates et al. 2021,
    arXiv:2101.02703).

    `levels` are per request (requests, 2, 5) = [wrong, right] × confidence. Levels that cover nothing are skipped.
    """
    passed: tuple[int, float] | None = None
    for threshold in THRESHOLDS:
        covered = covered_counts(levels, threshold)
        if not covered.sum():
            continue
        upper = risk_upper_bound(covered, delta)
        if upper > target_risk:
            break
        passed = (threshold, upper)
    if passed is None:
        return GuaranteedThreshold(None, None, None, "undefined_empty" if not levels.sum() else "target_not_reached")
    share = float(ratio(covered_counts(levels, passed[0]).sum(), levels.sum()))
    return GuaranteedThreshold(passed[0], passed[1], share, OK)


def risk_upper_bound(covered: Floats, delta: float) -> float:
    """Upper bound at level δ of the error rate of per-request [wrong, right], on the effective number of rows.

    Without errors the design effect is unknown and taken as (V + 1)/2, V the mean rows a request.
    """
    found = cluster_proportion(covered)
    rows_per_request = found.n / found.n_requests
    n_eff = found.n_eff if found.n_eff is not None else found.n / ((rows_per_request + 1) / 2)
    risk = float(covered[:, 0].sum() / covered.sum())
    return clopper_pearson_upper(risk * n_eff, n_eff, delta)


def folded_selection(levels: Floats, target_accuracy: float, n_folds: int = 10) -> FoldedSelection:
    """On each fold of requests, acts at the smallest threshold that reaches `target_accuracy` on the other folds.

    `levels` are per request (requests, 2, 5); request i is in fold i mod n_folds.
    """
    fold = request_folds(len(levels), n_folds)
    covered = np.zeros((len(levels), 2))
    thresholds = []
    for number in range(min(n_folds, len(levels))):
        threshold = _smallest_reaching(levels[fold != number].sum(axis=0), target_accuracy)
        thresholds.append(threshold)
        if threshold:
            covered[fold == number] = covered_counts(levels[fold == number], threshold)
    rows = covered.sum()
    return FoldedSelection(
        tuple(thresholds),
        covered,
        defined(float(ratio(rows, levels.sum()))),
        defined(float(ratio(covered[:, 1].sum(), rows))),
    )


def request_folds(n_requests: int, n_folds: int = 10) -> Ints:
    """Fold of each request, round robin in order, so that neighbours (of one topic and level) are spread."""
    return np.arange(n_requests, dtype=np.int64) % n_folds


def _smallest_reaching(totals: Floats, target: float) -> int:
    reaching = [t for t in THRESHOLDS if float(np.nan_to_num(selective_accuracy(totals, t), nan=-1.0)) >= target]
    return min(reaching, default=0)
