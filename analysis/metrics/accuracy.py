"""Accuracy of the predictions and what to read beside it: base rate, majority class, balanced accuracy, MCC."""

import numpy as np

from .arrays import Floats, ratio


def accuracy(outcomes: Floats) -> Floats:
    """(h + r)/n of outcomes (..., 4) = hit, miss, fa, cr; NaN without rows."""
    return ratio(outcomes[..., 0] + outcomes[..., 3], outcomes.sum(axis=-1))


def base_rate(outcomes: Floats) -> Floats:
    """Share of rows that were refused, (h + m)/n; NaN without rows."""
    return ratio(outcomes[..., 0] + outcomes[..., 1], outcomes.sum(axis=-1))


def predicted_rate(outcomes: Floats) -> Floats:
    """Share of rows predicted to be refused, (h + f)/n; NaN without rows."""
    return ratio(outcomes[..., 0] + outcomes[..., 2], outcomes.sum(axis=-1))


def majority_accuracy(outcomes: Floats) -> Floats:
    """Accuracy of always predicting the more frequent outcome, max(ns, nn)/n; NaN without rows."""
    rate = base_rate(outcomes)
    return np.maximum(rate, 1 - rate)


def balanced_accuracy(outcomes: Floats) -> Floats:
    """½[h/ns + r/nn]; NaN where a class is empty."""
    hit, miss, fa, cr = np.moveaxis(outcomes, -1, 0)
    return (ratio(hit, hit + miss) + ratio(cr, fa + cr)) / 2


def mcc(outcomes: Floats) -> Floats:
    """Matthews correlation (hr − mf)/√[(h+m)(f+r)(h+f)(m+r)] (Matthews 1975); NaN if a margin is 0."""
    hit, miss, fa, cr = np.moveaxis(outcomes, -1, 0)
    margins = (hit + miss) * (fa + cr) * (hit + fa) * (miss + cr)
    return ratio(hit * cr - miss * fa, np.sqrt(margins))


def paired_accuracy(correct: Floats) -> Floats:
    """Second model's accuracy minus the first's, from totals (..., 3) = right by the first, by the second, rows."""
    return ratio(correct[..., 1] - correct[..., 0], correct[..., 2])
