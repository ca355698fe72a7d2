"""Targets against each other on the same items: accuracy with a permutation test, and other differences."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..data import TargetRows
from ..estimates import Numbers, numbers
from ..intervals.paired import paired_bootstrap, paired_jackknife
from ..metrics.arrays import Statistic
from ..metrics.calibration import ece, map_values
from ..metrics.estimate import Estimate
from ..metrics.holm import holm
from ..metrics.paired import cluster_sign_flip
from ..metrics.rating import auroc_of_counts
from ..metrics.sdt import criterion, d_prime
from ..metrics.selective import share
from ..study import Settings, Study, UnequalItemsError, item_keys
from .table import Column, Table

COLUMNS = (
    Column("first", "First"),
    Column("second", "Second"),
    Column("n", "n common", "count"),
    Column("accuracy", "Accuracy, points", "points"),
    Column("p", "p", "p"),
    Column("p_holm", "p, Holm", "p"),
    Column("d_prime", "d′", "two"),
    Column("criterion", "c", "two"),
    Column("ece", "ECE, k/5", "three"),
    Column("auroc2", "AUROC2", "three"),
)


class Measure(NamedTuple):
    """A statistic of per-request outcomes (hit, miss, fa, cr) or of per-request confidence levels."""

    statistic: Statistic
    of_outcomes: bool


MEASURES = {
    "d_prime": Measure(d_prime, True),
    "criterion": Measure(criterion, True),
    "ece": Measure(lambda counts: ece(counts, map_values("k/5")), False),
    "auroc2": Measure(auroc_of_counts, False),
}


class Pair(NamedTuple):
    """Two targets' rows on the items that both predicted and that both have an outcome for, in the same order."""

    first: TargetRows
    second: TargetRows


def pairs(study: Study) -> Table:
    """Second minus first for every pair of targets.

    Raises UnequalItemsError if targets have different items, unless the settings allow it.
    """
    if not study.settings.allow_unequal_items:
        check_equal_items(study)
    compared = [(pair, differences(pair, study.settings)) for pair in _pairs(study)]
    adjusted = holm([found.p for _, found in compared])
    rows = tuple(
        (pair.first.name, pair.second.name, len(pair.first.rows), found.accuracy, found.p, p_holm, *found.others)
        for (pair, found), p_holm in zip(compared, adjusted, strict=True)
    )
    different = sum(p is not None and p < 0.05 for p in adjusted)
    reading = (
        f"{different} of {len(rows)} pairs differ in accuracy after Holm’s correction at .05."
        if rows
        else ("There is no pair of targets.")
    )
    notes = (
        "Second minus first, on rows usable for both. p: sign-flip permutation of request totals of accuracy; Holm "
        "over the pairs of this table. Intervals: accuracy cluster jackknife-t, the others paired cluster bootstrap "
        f"({study.settings.n_resamples} resamples, seed {study.settings.seed}), without a test.",
    )
    return Table("pairs", "Pairs of targets", COLUMNS, rows, reading, notes if rows else (), figure="pairs")


def check_equal_items(study: Study) -> None:
    """Raises UnequalItemsError naming the targets whose items differ from the first target's."""
    items = {target.name: np.unique(item_keys(target)) for target in study.targets}
    first = next(iter(items), "")
    unequal = [name for name, keys in items.items() if not np.array_equal(keys, items[first])]
    if unequal:
        counts = ", ".join(f"{name} {len(keys):,}" for name, keys in items.items())
        raise UnequalItemsError(
            f"targets have different items ({counts}): a difference between them would partly be one between items. "
            "Not compared; --allow-unequal-items compares them on the items they share"
        )


def _pairs(study: Study) -> Iterator[Pair]:
    for first, second in combinations(study.targets, 2):
        yield common(first, second)


def common(first: TargetRows, second: TargetRows) -> Pair:
    """The two targets' rows on the items usable for both."""
    one, two = first.where(first.used), second.where(second.used)
    _, left, right = np.intersect1d(item_keys(one), item_keys(two), assume_unique=True, return_indices=True)
    return Pair(one.where(left), two.where(right))


class Differences(NamedTuple):
    """Second minus first: accuracy with its test, and the other measures in the order asked for."""

    accuracy: Estimate | None
    p: float | None
    others: tuple[Estimate | None, ...]


def differences(pair: Pair, settings: Settings, measures: Sequence[str] = tuple(MEASURES)) -> Differences:
    """Differences of a pair with intervals by request; nulls without common rows."""
    if not len(pair.first.rows):
        return Differences(None, None, (None,) * len(measures))
    one, two = numbers(pair.first), numbers(pair.second)
    accuracy = paired_jackknife(one.by_correctness, two.by_correctness, share)
    rng = np.random.default_rng(settings.seed)
    p = cluster_sign_flip(pair.second.correct - pair.first.correct, pair.first.request, rng).p_value
    others = tuple(_bootstrapped(one, two, MEASURES[name], settings) for name in measures)
    return Differences(accuracy, p, others)


def _bootstrapped(one: Numbers, two: Numbers, measure: Measure, settings: Settings) -> Estimate:
    rng = np.random.default_rng(settings.seed)
    first, second = (found.outcomes if measure.of_outcomes else found.levels for found in (one, two))
    return paired_bootstrap(first, second, measure.statistic, rng, settings.n_resamples)
