"""What intervals need of clusters: requests with equal counts folded together, and the rule for too few requests."""

from typing import NamedTuple

import numpy as np

from ..metrics.arrays import Floats, Ints, Statistic, flat_rows

MIN_REQUESTS = 20
FEW_REQUESTS = 40


class Patterns(NamedTuple):
    """Distinct per-request counts, shape (patterns, *shape), and how many requests show each."""

    counts: Floats
    multiplicity: Ints

    @property
    def n_requests(self) -> int:
        """Requests with any count."""
        return int(self.multiplicity.sum())


class LeaveOneOut(NamedTuple):
    """The statistic without one request of each pattern, and how many requests show that pattern."""

    values: Floats
    multiplicity: Ints


def patterns(counts: Floats) -> Patterns:
    """The distinct rows of per-request counts (requests, *shape); requests without any count are left out.

    Requests with the same counts are interchangeable in every jackknife and bootstrap, and there are few distinct ones.
    """
    flat = flat_rows(counts)
    flat = flat[np.abs(flat).sum(axis=1) > 0]
    if len(flat) == 0:
        return Patterns(counts[:0], np.zeros(0, dtype=np.int64))
    distinct, multiplicity = _distinct_rows(flat)
    return Patterns(distinct.reshape(len(distinct), *counts.shape[1:]), multiplicity)


def leave_one_out(found: Patterns, total: Floats, statistic: Statistic) -> LeaveOneOut:
    """The statistic of `total` less each pattern."""
    return LeaveOneOut(np.asarray(statistic(total - found.counts), dtype=np.float64), found.multiplicity)


def _distinct_rows(flat: Floats) -> tuple[Floats, Ints]:
    # Sorting one projection is far cheaper than sorting rows; irrational weights almost never collide, and if they do
    # the check fails and the rows are sorted after all.
    weights = np.sqrt(np.arange(2, flat.shape[1] + 2, dtype=np.float64) + 1 / np.pi)
    _, first, inverse, multiplicity = np.unique(
        (flat * weights).sum(axis=1), return_index=True, return_inverse=True, return_counts=True
    )
    if np.array_equal(flat[first][inverse], flat):
        return flat[first], multiplicity.astype(np.int64)
    distinct, counts = np.unique(flat, axis=0, return_counts=True)
    return distinct, counts.astype(np.int64)


def flags(n_requests: int) -> list[str]:
    """Flags that the number of requests earns an interval: `few_requests` from 20 to 40."""
    return ["few_requests"] if MIN_REQUESTS <= n_requests <= FEW_REQUESTS else []
