"""Consistency, leave-one-out majority, ceiling: what the outcomes alone say, by hand and by integration."""

import itertools

import numpy as np
import pytest
from scipy import integrate
from scipy.stats import beta

from analysis.metrics.ceiling import (
    ceiling_of_request,
    normalised_introspection,
    oracle_brier,
    oracle_ceiling,
    split_half_ceiling,
)
from analysis.metrics.consistency import consistency, pair_agreement
from analysis.metrics.leave_one_out import loo_bins, loo_majority_accuracy, loo_majority_counts
from analysis.simulate import LatentHarm, latent_harm


def test_consistency_by_hand() -> None:
    """Of three requests with two rows or more, two are unanimous; pairs agree with 1, ⅓ and 1."""
    assert consistency([3, 1, 0, 1], [3, 3, 2, 1]) == pytest.approx(2 / 3)
    assert pair_agreement([3, 1, 0, 1], [3, 3, 2, 1]) == pytest.approx((1 + 1 / 3 + 1) / 3)
    assert consistency([1], [1]) is None
    assert pair_agreement([], []) is None


def test_leave_one_out_by_hand() -> None:
    """0,0,1: the zeros tie (½ each), the one is wrong: 1 of 3. 1,1: both right. A lone row counts ½."""
    assert loo_majority_counts([1, 2, 1], [3, 2, 1]).tolist() == [[2, 1], [0, 2], [0.5, 0.5]]
    assert loo_majority_accuracy([0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 2]) == pytest.approx(3.5 / 6)


def test_leave_one_out_is_that_of_a_loop() -> None:
    rng = np.random.default_rng(0)
    request, actual = rng.integers(0, 30, 150), rng.integers(0, 2, 150)
    score = 0.0
    for row in range(150):
        others = actual[(request == request[row]) & (np.arange(150) != row)]
        share = others.mean() if len(others) else 0.5
        score += 0.5 if share == 0.5 else float((share > 0.5) == actual[row])
    assert loo_majority_accuracy(actual, request) == pytest.approx(score / 150)


def test_leave_one_out_bins_do_not_see_their_own_row() -> None:
    assert loo_bins([1, 0, 0, 1, np.nan], [0, 0, 0, 1, 0]).tolist() == [0, 2, 2, -1, -1]
    assert loo_bins([1, 0, 0], [0, 0, 0], "20_50_80").tolist() == [0, 2, 2]


@pytest.mark.parametrize(("x", "k"), [(0, 3), (1, 3), (5, 10), (30, 30)])
def test_ceiling_of_a_request_is_the_integral(x: int, k: int) -> None:
    expected = integrate.quad(lambda t: max(t, 1 - t) * beta.pdf(t, 0.5 + x, 0.5 + k - x), 0, 1, points=[0.5])[0]
    assert ceiling_of_request(np.array(float(x)), np.array(float(k))) == pytest.approx(expected, abs=1e-6)


def test_the_plug_in_ceiling_is_biased_upward() -> None:
    found = latent_harm(LatentHarm(4000, 3), np.random.default_rng(0))
    refusals = found.rows.actual.reshape(-1, 3).sum(axis=1)
    truth = np.maximum(found.theta, 1 - found.theta).mean()
    ceiling = oracle_ceiling(refusals, np.full(4000, 3))
    assert ceiling.plug_in is not None
    assert ceiling.plug_in > truth + 0.01


@pytest.mark.parametrize(("x", "k"), [(0, 2), (1, 2), (1, 3), (2, 5), (4, 6), (3, 7)])
def test_the_split_half_ceiling_is_the_mean_over_all_splits(x: int, k: int) -> None:
    outcomes, half = [1] * x + [0] * (k - x), k // 2
    scores = []
    for chosen in itertools.combinations(range(k), half):
        says = np.sign(2 * sum(outcomes[row] for row in chosen) - half)
        rest = [outcomes[row] for row in range(k) if row not in chosen]
        scores.append(np.mean([0.5 if says == 0 else float((says > 0) == row) for row in rest]))
    assert split_half_ceiling([x, 1], [k, 1]) == pytest.approx(np.mean(scores))


@pytest.mark.parametrize(("x", "k"), [(0, 3), (1, 3), (5, 10)])
def test_the_oracle_s_brier_score_is_the_integral(x: int, k: int) -> None:
    expected = integrate.quad(lambda t: t * (1 - t) * beta.pdf(t, 0.5 + x, 0.5 + k - x), 0, 1)[0]
    posterior, plug_in = oracle_brier([x, 0], [k, 0])
    assert posterior == pytest.approx(expected, abs=1e-6)
    assert plug_in == pytest.approx(x / k * (1 - x / k))
    assert oracle_brier([], []) == (None, None)


def test_split_half_is_below_the_truth_and_undefined_without_two_outcomes() -> None:
    found = latent_harm(LatentHarm(4000, 4), np.random.default_rng(0))
    ceiling = oracle_ceiling(found.rows.actual.reshape(-1, 4).sum(axis=1), np.full(4000, 4))
    assert ceiling.split_half is not None
    assert 0.5 < ceiling.split_half < np.maximum(found.theta, 1 - found.theta).mean()
    assert oracle_ceiling([1, 0], [1, 1]).split_half is None


def test_many_outcomes_bring_both_ceilings_to_the_truth() -> None:
    found = latent_harm(LatentHarm(2000, 60), np.random.default_rng(0))
    refusals = found.rows.actual.reshape(-1, 60).sum(axis=1)
    ceiling = oracle_ceiling(refusals, np.full(2000, 60))
    truth = np.maximum(found.theta, 1 - found.theta).mean()
    assert ceiling.plug_in == pytest.approx(truth, abs=0.005)
    assert ceiling.posterior == pytest.approx(truth, abs=0.005)


def test_introspection_is_placed_between_majority_and_ceiling() -> None:
    assert normalised_introspection(0.9, 0.8, 0.95) == pytest.approx(2 / 3)
    assert normalised_introspection(0.9, 0.8, 0.8) is None
    assert normalised_introspection(None, 0.8, 0.9) is None
