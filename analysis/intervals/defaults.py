"""The default estimate of every statistic of a request table, each with the interval that covers it best."""

from collections.abc import Callable

import numpy as np

from ..metrics import accuracy, aurc, brier, calibration, rating, selective
from ..metrics.arrays import Floats, Statistic
from ..metrics.calibration import ConfidenceMap, map_values
from ..metrics.estimate import Estimate, undefined
from ..metrics.table import RequestTable, confidence_cells, outcome_cells, signed_rating_cells, uncovered
from .jackknife import cluster_jackknife
from .sparse import criterion_estimate, d_prime_estimate

THRESHOLDS = (5, 4, 3, 2)
MappedStatistic = Callable[[Floats, Floats], Floats]
REPORTED_MAPS: tuple[ConfidenceMap, ...] = ("k/5", "affine_half_to_one")


def default_estimates(table: RequestTable, confidence_level: float = 0.95) -> dict[str, Estimate]:
    """Estimates by name, deterministic, all from one table.

    Names: accuracy, base_rate, predicted_rate, balanced_accuracy, mcc, d_prime, criterion, auroc_signed, auroc_type2,
    aurc, e_aurc, routing_gain; ece:MAP, brier:MAP, debiased_squared:MAP for the maps k/5 and affine_half_to_one;
    coverage:T, selective_accuracy:T, errors_caught:T for T = 5, 4, 3, 2.
    """
    outcomes, levels = outcome_cells(table.cells), confidence_cells(table.cells)
    found = _of_outcomes(outcomes, confidence_level)
    found["auroc_signed"] = auroc_estimate(signed_rating_cells(table.cells), confidence_level)
    found["auroc_type2"] = auroc_estimate(levels, confidence_level)
    found |= _of_levels(levels, confidence_level)
    for mapping in REPORTED_MAPS:
        found |= calibration_estimates(levels, mapping, confidence_level)
    for threshold in THRESHOLDS:
        found |= selective_estimates(levels, uncovered(table.cells), threshold, confidence_level)
    return found


def proportion_estimate(counts: Floats, confidence_level: float = 0.95) -> Estimate:
    """Share of the second of per-request counts (requests, 2), logit cluster jackknife-t."""
    return cluster_jackknife(counts, selective.share, "logit", confidence_level=confidence_level)


def auroc_estimate(counts: Floats, confidence_level: float = 0.95) -> Estimate:
    """AUROC of per-request counts (requests, 2, levels) = [negative, positive], logit cluster jackknife-t.

    At an AUROC of 0 or 1 the interval rests on the rows of the smaller class alone.
    """
    by_class = counts.sum(axis=(0, 2))
    n, n_requests = int(by_class.sum()), int((counts.sum(axis=(1, 2)) > 0).sum())
    if not by_class.all():
        empty = ("undefined_no_negative", "undefined_no_positive")[int(by_class[1] == 0)]
        return undefined(empty if by_class.any() else "undefined_empty", n, n_requests)
    return cluster_jackknife(
        counts, rating.auroc_of_counts, "logit", confidence_level=confidence_level, boundary_n=float(by_class.min())
    )


def calibration_estimates(
    levels: Floats, mapping: ConfidenceMap, confidence_level: float = 0.95
) -> dict[str, Estimate]:
    """ece:MAP, brier:MAP and debiased_squared:MAP of per-request level counts (requests, 2, 5), raw jackknife-t."""
    p = map_values(mapping)
    specs: dict[str, tuple[MappedStatistic, float]] = {
        "ece": (calibration.ece, 0.0),
        "brier": (brier.brier_of_counts, 0.0),
        "debiased_squared": (calibration.debiased_squared, -np.inf),
    }
    return {
        f"{name}:{mapping}": cluster_jackknife(levels, _under(statistic, p), "raw", (floor, 1.0), confidence_level)
        for name, (statistic, floor) in specs.items()
    }


def selective_estimates(
    levels: Floats, never_covered: Floats, threshold: int, confidence_level: float = 0.95
) -> dict[str, Estimate]:
    """coverage:T, selective_accuracy:T and errors_caught:T of per-request level counts, logit cluster jackknife-t."""
    covered = selective.covered_counts(levels, threshold)
    errors = levels[:, 0].sum(axis=-1)
    caught = np.stack([covered[:, 0], errors - covered[:, 0]], axis=-1)
    named = {
        "coverage": selective.coverage_counts(levels, never_covered, threshold),
        "selective_accuracy": covered,
        "errors_caught": caught,
    }
    return {f"{name}:{threshold}": proportion_estimate(counts, confidence_level) for name, counts in named.items()}


def _under(statistic: MappedStatistic, p: Floats) -> Statistic:
    return lambda totals: statistic(totals, p)


def _of_outcomes(outcomes: Floats, confidence_level: float) -> dict[str, Estimate]:
    proportions = {name: getattr(accuracy, name) for name in ("accuracy", "base_rate", "predicted_rate")}
    found = {
        name: cluster_jackknife(outcomes, statistic, "logit", confidence_level=confidence_level)
        for name, statistic in proportions.items()
    }
    found["balanced_accuracy"] = cluster_jackknife(
        outcomes, accuracy.balanced_accuracy, "raw", (0.0, 1.0), confidence_level
    )
    found["mcc"] = cluster_jackknife(outcomes, accuracy.mcc, "raw", (-1.0, 1.0), confidence_level)
    found["d_prime"] = d_prime_estimate(outcomes, confidence_level)
    found["criterion"] = criterion_estimate(outcomes, confidence_level)
    return found


def _of_levels(levels: Floats, confidence_level: float) -> dict[str, Estimate]:
    return {
        "aurc": cluster_jackknife(levels, aurc.aurc_of_counts, "raw", (0.0, 1.0), confidence_level),
        "e_aurc": cluster_jackknife(levels, aurc.e_aurc, "raw", (0.0, 1.0), confidence_level),
        "routing_gain": cluster_jackknife(levels, selective.routing_gain, "raw", (-1.0, 1.0), confidence_level),
    }
