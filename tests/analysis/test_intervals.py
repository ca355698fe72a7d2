"""Binomial and cluster intervals: against scipy, statsmodels and plain loops, and the rules for few requests."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import beta, binomtest, norm
from scipy.stats import t as student
from statsmodels.stats.proportion import proportion_confint

from analysis.intervals import binomial
from analysis.intervals.clusters import patterns
from analysis.intervals.defaults import auroc_estimate, default_estimates, proportion_estimate
from analysis.intervals.jackknife import cluster_jackknife
from analysis.intervals.proportion import (
    boundary_interval,
    cluster_proportion,
    cluster_proportion_of_rows,
    wilson_effective,
    wilson_estimate,
)
from analysis.intervals.sparse import beta_intervals, criterion_estimate, d_prime_estimate
from analysis.metrics import accuracy, aurc, calibration, rating
from analysis.metrics.arrays import Floats, Statistic
from analysis.metrics.sdt import criterion, d_prime
from analysis.metrics.table import confidence_cells, outcome_cells, request_table, signed_rating_cells

from .examples import simulated, with_nulls

trials = st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(trials, st.sampled_from([0.8, 0.95, 0.99]))
def test_binomial_intervals_are_those_of_statsmodels_and_scipy(counts: tuple[int, int], level: float) -> None:
    x, n = counts
    assert binomial.wilson(x, n, level) == pytest.approx(proportion_confint(x, n, 1 - level, "wilson"), abs=1e-9)
    exact = binomtest(x, n).proportion_ci(level, "exact")
    assert binomial.clopper_pearson(x, n, level) == pytest.approx((exact.low, exact.high), abs=1e-9)
    assert binomial.clopper_pearson_upper(x, n, (1 - level) / 2) == pytest.approx(exact.high, abs=1e-9)
    if 0 < x < n:
        assert binomial.jeffreys(x, n) == pytest.approx(beta.ppf((0.025, 0.975), x + 0.5, n - x + 0.5), abs=1e-9)


@given(trials)
def test_binomial_intervals_mirror(counts: tuple[int, int]) -> None:
    x, n = counts
    for interval in (binomial.wilson, binomial.clopper_pearson, binomial.jeffreys):
        low, high = interval(x, n)
        mirrored = interval(n - x, n)
        assert low is not None
        assert high is not None
        assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)


def test_without_trials_there_is_no_interval() -> None:
    for interval in (binomial.wilson, binomial.clopper_pearson, binomial.jeffreys):
        assert interval(0, 0) == (None, None)


def test_cluster_error_is_that_of_statsmodels() -> None:
    rows = simulated(80)
    fit = sm.OLS(rows.correct, np.ones(240)).fit(
        cov_type="cluster", cov_kwds={"groups": rows.request, "use_correction": False}
    )
    found = cluster_proportion_of_rows(rows.correct, rows.request)
    assert found.se == pytest.approx(float(fit.bse[0]) * np.sqrt(80 / 79), rel=1e-9)
    assert found.deff == pytest.approx(found.se**2 / (found.value * (1 - found.value) / 239))  # type: ignore[operator]


def test_identical_rows_have_the_design_effect_of_their_number() -> None:
    """Three copies a request: n_eff is nearly the number of requests."""
    hits = (np.arange(60) % 4 > 0).astype(float)
    found = cluster_proportion(np.stack([3 - 3 * hits, 3 * hits], axis=1))
    assert found.n_eff == pytest.approx(60, rel=0.02)
    low, high = wilson_effective(found)
    assert (low, high) == pytest.approx(tuple(binomial.wilson(45, 60)), abs=0.002)


def test_a_proportion_at_the_edge_gets_clopper_pearson_on_effective_rows() -> None:
    counts = np.tile([0.0, 3.0], (100, 1))
    assert proportion_estimate(counts).low == pytest.approx(binomial.clopper_pearson(150, 150).low)
    assert wilson_estimate(counts).low == pytest.approx(boundary_interval(1.0, 300, 100).low)
    assert wilson_estimate(np.zeros((0, 2))).status == "undefined_empty"
    assert cluster_proportion(np.array([[1.0, 2.0]])).se is None


def by_hand(counts: Floats, statistic: Statistic, scale: str) -> tuple[float, float]:
    """The jackknife-t interval by a loop over requests."""
    total, n = counts.sum(axis=0), len(counts)
    forward, back = (logit, expit) if scale == "logit" else (float, float)
    values = np.array([forward(float(statistic(total - one))) for one in counts])
    se = np.sqrt((n - 1) / n * ((values - values.mean()) ** 2).sum())
    middle, half = forward(float(statistic(total))), student.ppf(0.975, n - 1) * se
    return float(back(middle - half)), float(back(middle + half))


def test_jackknife_is_a_loop_over_requests() -> None:
    cells = with_nulls(simulated(50)).table.cells
    outcomes, levels, signed = outcome_cells(cells), confidence_cells(cells), signed_rating_cells(cells)
    checks: list[tuple[Floats, Statistic, str]] = [
        (outcomes, accuracy.accuracy, "logit"),
        (outcomes, d_prime, "raw"),
        (outcomes, criterion, "raw"),
        (outcomes, accuracy.mcc, "raw"),
        (levels, rating.auroc_of_counts, "logit"),
        (levels, aurc.aurc_of_counts, "raw"),
        (levels, lambda totals: calibration.ece(totals, calibration.map_values("k/5")), "raw"),
        (signed, rating.auroc_of_counts, "logit"),
    ]
    for counts, statistic, scale in checks:
        used = counts[counts.reshape(len(counts), -1).sum(axis=1) > 0]
        found = cluster_jackknife(counts, statistic, scale)  # type: ignore[arg-type]
        assert (found.low, found.high) == pytest.approx(by_hand(used, statistic, scale), abs=1e-9)
        assert found.n_requests == len(used)


def test_jackknife_of_a_mean_of_single_rows_is_students_interval() -> None:
    hits = np.random.default_rng(0).integers(0, 2, 100).astype(float)
    found = cluster_jackknife(np.stack([1 - hits, hits], axis=1), lambda c: c[..., 1] / c.sum(axis=-1))
    half = student.ppf(0.975, 99) * hits.std(ddof=1) / 10
    assert (found.low, found.high) == pytest.approx((hits.mean() - half, hits.mean() + half))


def test_order_and_names_of_requests_are_irrelevant() -> None:
    rows = simulated(40)
    order = np.random.default_rng(0).permutation(120)
    shuffled = request_table(1000 - rows.request[order], rows.actual[order], rows.pred[order], rows.confidence[order])
    found, again = default_estimates(rows.table), default_estimates(shuffled)
    for name, one in found.items():
        other = again[name]
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), abs=1e-9), name


def test_fewer_than_20_requests_have_no_interval_and_up_to_40_a_flag() -> None:
    def of(n_requests: int) -> str:
        return default_estimates(simulated(n_requests, seed=5).table)["accuracy"].status

    assert (of(19), of(20), of(40), of(41)) == ("too_few_requests", "few_requests", "few_requests", "ok")
    assert default_estimates(simulated(19, seed=5).table)["accuracy"].low is None


def test_a_statistic_that_rests_on_one_request_has_no_interval() -> None:
    """All errors in one request: without it AUROC2 does not exist."""
    levels = np.zeros((30, 2, 5))
    levels[:, 1, 4] = 3
    levels[0] = [[0, 1, 1, 0, 0], [0, 0, 0, 0, 1]]
    found = auroc_estimate(levels)
    assert found.value is not None
    assert (found.low, found.status) == (None, "rests_on_one_request")


def test_a_perfect_auroc_rests_on_the_smaller_class() -> None:
    counts = np.zeros((60, 2, 5))
    counts[:50, 0, 0] = 3
    counts[50:, 1, 4] = 3
    found = auroc_estimate(counts)
    assert found.value == 1
    assert found.low == pytest.approx(boundary_interval(1.0, 30, 60).low)


def test_folding_equal_requests_keeps_every_count() -> None:
    counts = np.random.default_rng(0).integers(0, 3, size=(500, 4)).astype(float)
    found = patterns(counts)
    assert (found.counts * found.multiplicity[:, None]).sum(axis=0) == pytest.approx(counts.sum(axis=0))
    assert found.n_requests == (counts.sum(axis=1) > 0).sum()
    assert len(np.unique(found.counts, axis=0)) == len(found.counts)


def test_rows_that_only_large_counts_tell_apart_in_the_last_digit_are_not_folded() -> None:
    found = patterns(np.array([[1e17, 1.0], [1e17, 2.0], [1e17, 1.0]]))
    assert sorted(found.counts[:, 1].tolist()) == [1, 2]
    assert sorted(found.multiplicity.tolist()) == [1, 2]


def test_a_row_without_confidence_or_prediction_lowers_coverage() -> None:
    rows = with_nulls(simulated(60))
    covered = (rows.confidence >= 4) & ~np.isnan(rows.pred) & ~np.isnan(rows.actual)
    found = default_estimates(rows.table)["coverage:4"]
    assert found.n == (~np.isnan(rows.actual)).sum()
    assert found.value == pytest.approx(covered.sum() / found.n)


def test_a_class_is_never_taken_for_less_clustered_than_accuracy() -> None:
    """Each request has one hit and one miss, so H never varies; right answers to complied rows cluster fully."""
    outcomes = np.tile([1.0, 1, 0, 4], (60, 1))
    outcomes[30:] = [1, 1, 4, 0]
    found = beta_intervals(outcomes)
    right = cluster_proportion(np.stack([outcomes[:, 1] + outcomes[:, 2], outcomes[:, 0] + outcomes[:, 3]], axis=1))
    assert right.deff is not None
    assert found.deff_hit == pytest.approx(right.deff, rel=0.01)
    assert found.deff_fa > found.deff_hit


def test_sparse_cells_switch_to_the_beta_interval_which_is_that_of_draws() -> None:
    outcomes = np.zeros((100, 4))
    outcomes[:27, 0] = 3
    outcomes[27, 1] = 2
    outcomes[28:60, 2], outcomes[28:60, 3] = 1, 2
    outcomes[60:, 3] = 3
    found = beta_intervals(outcomes)
    hit, miss, fa, cr = outcomes.sum(axis=0)
    rng = np.random.default_rng(0)
    h = norm.ppf(rng.beta(hit / found.deff_hit + 0.5, miss / found.deff_hit + 0.5, 400_000))
    f = norm.ppf(rng.beta(fa / found.deff_fa + 0.5, cr / found.deff_fa + 0.5, 400_000))
    assert found.d_prime == pytest.approx(np.quantile(h - f, (0.025, 0.975)), abs=0.01)
    assert found.criterion == pytest.approx(np.quantile(-(h + f) / 2, (0.025, 0.975)), abs=0.01)
    estimate = d_prime_estimate(outcomes)
    assert (estimate.low, estimate.high, estimate.method) == (*found.d_prime, "Beta on n_eff")
    assert criterion_estimate(outcomes).low == found.criterion.low


def test_a_zero_cell_is_flagged_and_an_empty_class_has_no_estimate() -> None:
    rows = simulated(60)
    outcomes = outcome_cells(rows.table.cells)
    outcomes[:, 1] = 0
    assert d_prime_estimate(outcomes).status == "extreme_rate_corrected"
    outcomes[:, 0] = 0
    assert d_prime_estimate(outcomes).status == "undefined_no_signal"
    with pytest.raises(ValueError, match="both classes"):
        beta_intervals(outcomes)


def test_a_wider_level_gives_a_wider_interval() -> None:
    table = simulated(60).table
    for name, wide in default_estimates(table, 0.99).items():
        narrow = default_estimates(table, 0.8)[name]
        if narrow.low is not None and narrow.high is not None and wide.low is not None and wide.high is not None:
            assert wide.low <= narrow.low <= narrow.high <= wide.high, name
