"""Cluster bootstrap: the distribution of explicit resampling, scipy's intervals, pairing, and undefined resamples."""

import numpy as np
import pytest
from scipy.stats import bootstrap

from analysis.intervals.bootstrap import bootstrap_replicates, cluster_bca, cluster_bootstrap
from analysis.intervals.paired import paired_bootstrap, paired_jackknife
from analysis.metrics import accuracy
from analysis.metrics.arrays import Floats
from analysis.metrics.sdt import d_prime
from analysis.metrics.selective import share
from analysis.metrics.table import outcome_cells

from .examples import simulated


def rng() -> np.random.Generator:
    """A fresh generator, the same every time."""
    return np.random.default_rng(7)


def test_replicates_have_the_distribution_of_resampled_requests() -> None:
    counts = outcome_cells(simulated(50).table.cells)
    fast = bootstrap_replicates(counts, d_prime, rng(), 20_000)
    drawn = np.random.default_rng(8).integers(0, 50, size=(20_000, 50))
    plain = d_prime(counts[drawn].sum(axis=1))
    assert fast.mean() == pytest.approx(plain.mean(), abs=0.02)
    assert fast.std() == pytest.approx(plain.std(), rel=0.03)
    assert np.quantile(fast, (0.025, 0.975)) == pytest.approx(np.quantile(plain, (0.025, 0.975)), abs=0.04)


def test_intervals_are_those_of_scipy_over_the_same_clusters() -> None:
    counts = outcome_cells(simulated(60).table.cells)
    clusters = np.stack([counts[:, 0] + counts[:, 3], counts.sum(axis=1)])

    def of_clusters(indices: Floats, axis: int = -1) -> Floats:
        right, rows = clusters[:, indices.astype(np.int64)].sum(axis=axis if axis < 0 else axis + 1)
        return np.asarray(right / rows)

    for method, own in (("percentile", cluster_bootstrap), ("BCa", cluster_bca)):
        oracle = bootstrap(  # type: ignore[call-overload]
            (np.arange(60),), of_clusters, n_resamples=20_000, method=method, rng=np.random.default_rng(1)
        ).confidence_interval
        found = own(counts, accuracy.accuracy, rng(), 20_000)
        assert (found.low, found.high) == pytest.approx((oracle.low, oracle.high), abs=0.006)


def test_the_same_generator_gives_the_same_interval() -> None:
    counts = outcome_cells(simulated(60).table.cells)
    assert cluster_bootstrap(counts, d_prime, rng(), 500) == cluster_bootstrap(counts, d_prime, rng(), 500)


def test_undefined_resamples_are_counted_and_too_many_leave_no_interval() -> None:
    """One request of 200 has refusals: 37 % of resamples miss it. Four of 60: 1.5 % miss them all."""
    counts = np.tile([0.0, 0, 1, 2], (200, 1))
    counts[0] = [2, 1, 0, 0]
    found = cluster_bootstrap(counts, d_prime, rng(), 1000)
    assert found.value is not None
    assert found.low is None
    assert "resamples undefined" in found.status
    counts = np.tile([0.0, 0, 1, 2], (60, 1))
    counts[:4] = [2, 1, 0, 0]
    kept = cluster_bootstrap(counts, d_prime, rng(), 1000)
    assert kept.low is not None
    assert "resamples undefined" in kept.status


def test_few_requests_have_no_interval() -> None:
    assert cluster_bootstrap(np.ones((19, 2)), share, rng(), 100).status == "too_few_requests"


def test_a_model_does_not_differ_from_itself() -> None:
    counts = outcome_cells(simulated(60).table.cells)
    found = paired_bootstrap(counts, counts, d_prime, rng(), 500)
    assert (found.value, found.low, found.high) == (0, 0, 0)
    assert found.n == 180


def test_pairing_resamples_the_same_requests() -> None:
    """A model that is right on the same rows but one has a far narrower paired interval than two unrelated models."""
    rows, other = simulated(200, seed=1), simulated(200, seed=2)
    first = outcome_cells(rows.table.cells)
    worse = rows.pred.copy()
    worse[:5] = 1 - worse[:5]
    second = outcome_cells(rows._replace(pred=worse).table.cells)
    paired = paired_bootstrap(first, second, accuracy.accuracy, rng(), 1000)
    unrelated = paired_bootstrap(first, outcome_cells(other.table.cells), accuracy.accuracy, rng(), 1000)
    assert paired.low is not None
    assert paired.high is not None
    assert unrelated.low is not None
    assert unrelated.high is not None
    assert paired.high - paired.low < 0.5 * (unrelated.high - unrelated.low)


def test_paired_jackknife_is_the_cluster_t_interval_of_the_difference() -> None:
    first, second = (outcome_cells(simulated(100, seed=seed).table.cells) for seed in (1, 2))
    found = paired_jackknife(first, second, accuracy.accuracy)
    change = (second[:, 0] + second[:, 3]) - (first[:, 0] + first[:, 3])
    half = 1.98422 * change.std(ddof=1) / np.sqrt(100) / 3
    assert found.value == pytest.approx(change.sum() / 300)
    assert found.high == pytest.approx(change.sum() / 300 + half, rel=1e-4)


def test_pairs_must_be_the_same_requests() -> None:
    with pytest.raises(ValueError, match="same requests"):
        paired_jackknife(np.ones((3, 4)), np.ones((4, 4)), accuracy.accuracy)
