"""The numbers of one judge on one group of gold rows, each with its interval and n; items cluster in requests."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from analysis.intervals.agreement import agreement_estimate
from analysis.intervals.jackknife import cluster_jackknife
from analysis.intervals.proportion import wilson_estimate
from analysis.metrics.arrays import Floats, Ints, ratio
from analysis.metrics.aurc import RiskCoverage, aurc
from analysis.metrics.calibration import CalibrationError, ece_levels
from analysis.metrics.estimate import Estimate
from analysis.metrics.selective import Selection, selective
from analysis.metrics.table import totals_by_request
from schemas.vocabulary import RefusalLabel

LABELS = tuple(RefusalLabel)
THRESHOLDS = (5, 4, 3, 2)


@dataclass(frozen=True, slots=True)
class Binary:
    """Refused or not: the confusion counts (positive = refusal) and what follows from them."""

    tp: int
    fn: int
    fp: int
    tn: int
    accuracy: Estimate
    sensitivity: Estimate
    specificity: Estimate
    precision: Estimate
    kappa: Estimate
    ac1: Estimate


@dataclass(frozen=True, slots=True)
class Classes:
    """The four labels: `confusion[gold, judge]` counts, and what follows; `recall` and `f1` by gold label that occurs.

    `macro_f1` averages the F1 of the labels that occur in the gold rows.
    """

    confusion: dict[tuple[RefusalLabel, RefusalLabel], int]
    accuracy: Estimate
    macro_f1: Estimate
    kappa: Estimate
    ac1: Estimate
    recall: dict[RefusalLabel, Estimate]
    f1: dict[RefusalLabel, Estimate]


@dataclass(frozen=True, slots=True)
class Confidence:
    """How far the judge's own confidence can be followed: calibration, and risk against coverage.

    `levels` is the accuracy at each level in use.
    """

    calibration: CalibrationError
    levels: dict[int, Estimate]
    selections: tuple[Selection, ...]
    risk: RiskCoverage


def binary(gold: Sequence[bool], judged: Sequence[bool], request: Ints) -> Binary:
    """The scores of a judge's refusals against the gold ones."""
    truth, said = np.asarray(gold, dtype=np.int64), np.asarray(judged, dtype=np.int64)
    ratings = np.stack([truth, said], axis=1).astype(np.float64)
    tp, fn, fp, tn = (int(((truth == a) & (said == b)).sum()) for a, b in ((1, 1), (1, 0), (0, 1), (0, 0)))
    return Binary(
        tp,
        fn,
        fp,
        tn,
        accuracy=_proportion(truth == said, request),
        sensitivity=_proportion((said == 1)[truth == 1], request[truth == 1]),
        specificity=_proportion((said == 0)[truth == 0], request[truth == 0]),
        precision=_proportion((truth == 1)[said == 1], request[said == 1]),
        kappa=agreement_estimate(ratings, request, "cohen", (0, 1)),
        ac1=agreement_estimate(ratings, request, "gwet", (0, 1)),
    )


def classes(gold: Sequence[RefusalLabel], judged: Sequence[RefusalLabel], request: Ints) -> Classes:
    """The scores of a judge's labels against the gold ones."""
    truth = np.array([LABELS.index(label) for label in gold], dtype=np.int64)
    said = np.array([LABELS.index(label) for label in judged], dtype=np.int64)
    ratings = np.stack([truth, said], axis=1).astype(np.float64)
    every = tuple(range(len(LABELS)))
    occurring = sorted(set(truth.tolist()))
    cells = totals_by_request(request, np.eye(len(LABELS) ** 2)[truth * len(LABELS) + said])
    return Classes(
        confusion={
            (a, b): int(((truth == i) & (said == j)).sum()) for (i, a), (j, b) in product(enumerate(LABELS), repeat=2)
        },
        accuracy=_proportion(truth == said, request),
        macro_f1=_f1_estimate(cells, occurring),
        kappa=agreement_estimate(ratings, request, "cohen", every),
        ac1=agreement_estimate(ratings, request, "gwet", every),
        recall={LABELS[k]: _proportion((said == k)[truth == k], request[truth == k]) for k in occurring},
        f1={LABELS[k]: _f1_estimate(cells, [k]) for k in occurring},
    )


def confidence(levels: Sequence[int | None], correct: Sequence[bool], request: Ints) -> Confidence:
    """The scores of a judge's confidence against whether it was right."""
    numbers = np.array([np.nan if level is None else level for level in levels], dtype=np.float64)
    right = np.asarray(correct, dtype=np.float64)
    used = sorted({int(level) for level in levels if level is not None})
    return Confidence(
        ece_levels(numbers, right),
        {level: _proportion(right[numbers == level] == 1, request[numbers == level]) for level in used},
        tuple(selective(numbers, right, threshold) for threshold in THRESHOLDS),
        aurc(numbers, right),
    )


def _proportion(success: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], request: Ints) -> Estimate:
    hits = success.astype(np.float64)
    return wilson_estimate(totals_by_request(request, np.stack([1 - hits, hits], axis=-1)))


def _f1_estimate(cells: Floats, wanted: Sequence[int]) -> Estimate:
    def mean_f1(totals: Floats) -> Floats:
        square = totals.reshape(*totals.shape[:-1], len(LABELS), len(LABELS))
        found = np.diagonal(square, axis1=-2, axis2=-1)
        either = square.sum(axis=-1) + square.sum(axis=-2)
        return np.asarray(np.where(either > 0, ratio(2 * found, either), 0.0)[..., list(wanted)].mean(axis=-1))

    return cluster_jackknife(cells, mean_f1, "raw", (0.0, 1.0))
