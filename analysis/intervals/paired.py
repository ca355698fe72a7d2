"""Difference of a statistic between two models, the same requests left out or drawn for both."""

from dataclasses import replace

import numpy as np

from ..metrics.arrays import Floats, Statistic
from ..metrics.estimate import Estimate
from .bootstrap import cluster_bootstrap
from .jackknife import cluster_jackknife


def paired_bootstrap(
    first: Floats,
    second: Floats,
    statistic: Statistic,
    rng: np.random.Generator,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
) -> Estimate:
    """statistic(second) − statistic(first) with the percentile interval of the paired cluster bootstrap.

    `first` and `second` are counts of the same requests in the same order, (requests, *shape), over rows both models
    answered. `n` counts rows of one model. Raises ValueError for unequal shapes.
    """
    difference = difference_of(statistic, first.ndim - 1)
    return _one_model(cluster_bootstrap(paired_counts(first, second), difference, rng, n_resamples, confidence_level))


def paired_jackknife(first: Floats, second: Floats, statistic: Statistic, confidence_level: float = 0.95) -> Estimate:
    """statistic(second) − statistic(first) with a raw cluster jackknife-t interval; arguments as `paired_bootstrap`."""
    difference = difference_of(statistic, first.ndim - 1)
    return _one_model(cluster_jackknife(paired_counts(first, second), difference, confidence_level=confidence_level))


def paired_counts(first: Floats, second: Floats) -> Floats:
    """Both models' counts side by side, (requests, 2, *shape)."""
    if first.shape != second.shape:
        raise ValueError(f"counts of shape {first.shape} and {second.shape}; wanted the same requests for both models")
    return np.stack([first, second], axis=1)


def difference_of(statistic: Statistic, n_axes: int) -> Statistic:
    """The statistic on totals (..., 2, *shape), that is the second model's value less the first's."""
    axis = -1 - n_axes

    def difference(totals: Floats) -> Floats:
        return statistic(np.take(totals, 1, axis)) - statistic(np.take(totals, 0, axis))

    return difference


def _one_model(found: Estimate) -> Estimate:
    return replace(found, n=found.n // 2)
