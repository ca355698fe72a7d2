"""Dawid–Skene: true classes and each annotator's confusion matrix from labels that overlap, by EM."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from .arrays import Floats, Ints
from .estimate import OK

TOLERANCE = 1e-7
MAX_STEPS = 1000
FLOOR = 1e-10


@dataclass(frozen=True, slots=True)
class LabelModel:
    """`labels[i]`, `posterior[i]` (items, classes) of `items[i]`; `confusion[a]` (classes, classes) = P(label | true).

    With one annotator (`unidentified`) the labels are that annotator's and the rest is None.
    """

    items: tuple[Hashable, ...]
    classes: tuple[int, ...]
    annotators: tuple[Hashable, ...]
    labels: tuple[int, ...]
    posterior: Floats | None
    prior: Floats | None
    confusion: Floats | None
    status: str


def dawid_skene(rows: Sequence[tuple[Hashable, Hashable, int]]) -> LabelModel:
    """EM over (item, annotator, label) rows, started at the share of votes (Dawid & Skene 1979, doi:10.2307/2346806).

    Items and annotators come in order of first appearance, classes ascending. Judges of one family err together and
    must be entered as one annotator, or the posterior is too sure.
    """
    items, item = _codes([row[0] for row in rows])
    annotators, annotator = _codes([row[1] for row in rows])
    classes = tuple(sorted({row[2] for row in rows}))
    label = np.searchsorted(classes, [row[2] for row in rows]).astype(np.int64) if rows else np.zeros(0, dtype=np.int64)
    votes = np.zeros((len(items), len(annotators), len(classes)))
    np.add.at(votes, (item, annotator, label), 1)
    if len(annotators) < 2:
        own = tuple(classes[code] for code in votes.sum(axis=1).argmax(axis=1)) if rows else ()
        status = "unidentified" if rows else "undefined_empty"
        return LabelModel(items, classes, annotators, own, None, None, None, status)
    posterior, prior, confusion, converged = _expectation_maximisation(votes)
    labels = tuple(classes[code] for code in posterior.argmax(axis=1))
    status = OK if converged else "not_converged"
    return LabelModel(items, classes, annotators, labels, posterior, prior, confusion, status)


def _expectation_maximisation(votes: Floats) -> tuple[Floats, Floats, Floats, bool]:
    posterior = votes.sum(axis=1) / votes.sum(axis=(1, 2))[:, None]
    for _ in range(MAX_STEPS):
        prior = posterior.mean(axis=0)
        joint = np.einsum("it,ial->atl", posterior, votes)
        confusion = np.maximum(joint, FLOOR) / np.maximum(joint, FLOOR).sum(axis=2, keepdims=True)
        log_p = np.log(np.maximum(prior, FLOOR)) + np.einsum("ial,atl->it", votes, np.log(confusion))
        updated = np.exp(log_p - log_p.max(axis=1, keepdims=True))
        updated /= updated.sum(axis=1, keepdims=True)
        change = float(np.abs(updated - posterior).max())
        posterior = updated
        if change < TOLERANCE:
            return posterior, posterior.mean(axis=0), confusion, True
    return posterior, posterior.mean(axis=0), confusion, False


def _codes(values: Sequence[Hashable]) -> tuple[tuple[Hashable, ...], Ints]:
    order: dict[Hashable, int] = {}
    codes = [order.setdefault(value, len(order)) for value in values]
    return tuple(order), np.array(codes, dtype=np.int64)
