"""Recalibrated confidence: the accuracy of each level on other requests stands in for the level."""

import numpy as np

from .arrays import Floats
from .routing import request_folds


def recalibrated(levels: Floats, n_folds: int = 10) -> Floats:
    """Probability of being right for each request and level, (requests, 5), from the other folds of requests.

    Level means smoothed by ½: (right_k + ½)/(n_k + 1) over `levels` (requests, 2, 5) = [wrong, right] × confidence.
    """
    fold = request_folds(len(levels), n_folds)
    p = np.full((len(levels), levels.shape[-1]), np.nan)
    for number in range(min(n_folds, len(levels))):
        totals = levels[fold != number].sum(axis=0)
        p[fold == number] = (totals[1] + 0.5) / (totals.sum(axis=0) + 1)
    return p


def recalibrated_ece(levels: Floats, n_folds: int = 10) -> float | None:
    """Out-of-fold ECE after recalibration, one bin a level, its probability averaged; None if empty."""
    p = recalibrated(levels, n_folds)
    if not levels.sum():
        return None
    gap = (levels[:, 1] - levels.sum(axis=1) * p).sum(axis=0)
    return float(np.abs(gap).sum() / levels.sum())
