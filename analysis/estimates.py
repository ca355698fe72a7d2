"""The numbers of a set of rows: per-request counts, and the estimates made from them (methods: docs/analysis.md)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .data import Floats, TargetRows
from .intervals.defaults import default_estimates, proportion_estimate
from .intervals.proportion import ClusterProportion, cluster_proportion
from .intervals.sparse import criterion_estimate, d_prime_estimate
from .metrics.estimate import Estimate
from .metrics.routing import levels_where_predicted
from .metrics.selective import covered_counts
from .metrics.table import RequestTable, confidence_cells, outcome_cells, request_table


@dataclass(frozen=True)
class Numbers:
    """Per-request counts of some rows of one target. `outcomes` (requests, 4): hit, miss, false alarm, correct
    rejection; `levels` (requests, 2, 5): wrong and right by confidence.
    """

    table: RequestTable
    outcomes: Floats
    levels: Floats

    @cached_property
    def defaults(self) -> dict[str, Estimate]:
        """Every default estimate by name; `accuracy`, `d_prime` and `criterion` alone are cheaper."""
        return default_estimates(self.table)

    @cached_property
    def by_correctness(self) -> Floats:
        """(requests, 2): wrong and right predictions."""
        return np.stack([self.outcomes[:, [1, 2]].sum(axis=1), self.outcomes[:, [0, 3]].sum(axis=1)], axis=-1)

    @cached_property
    def accuracy(self) -> Estimate:
        """Share of predictions that came true."""
        return proportion_estimate(self.by_correctness)

    @cached_property
    def d_prime(self) -> Estimate:
        """Sensitivity d′."""
        return d_prime_estimate(self.outcomes)

    @cached_property
    def criterion(self) -> Estimate:
        """Criterion c; below 0 refusal is predicted too often."""
        return criterion_estimate(self.outcomes)

    @cached_property
    def proportion(self) -> ClusterProportion:
        """Accuracy with its design effect and effective number of rows."""
        return cluster_proportion(self.by_correctness)

    @property
    def total(self) -> Floats:
        """Hits, misses, false alarms, correct rejections of all requests."""
        total: Floats = self.outcomes.sum(axis=0)
        return total

    def when_predicted(self, pred: int, threshold: int) -> Estimate:
        """Accuracy of the predictions of refusal (1) or compliance (0) with at least this confidence."""
        levels = levels_where_predicted(self.table.cells, pred)
        return proportion_estimate(covered_counts(levels, threshold))

    def at_confidence(self, confidence: int) -> Estimate:
        """Accuracy of the predictions with exactly this confidence."""
        return proportion_estimate(self.levels[:, :, confidence - 1])


def numbers(rows: TargetRows) -> Numbers:
    """The counts of these rows."""
    table = request_table(rows.request, rows.actual, rows.pred, rows.confidence)
    return Numbers(table, outcome_cells(table.cells), confidence_cells(table.cells))
