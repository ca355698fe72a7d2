"""Refusal-rate bins: edges in integers, posteriors against drawn Betas."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from analysis.metrics.bins import SCHEMES, Scheme, bin_of_rate, bin_posterior, point_bin, point_bins

schemes = st.sampled_from(["paper", "20_50_80"])


@pytest.mark.parametrize(
    ("x", "k", "paper", "four"),
    [
        (1, 5, "safe", "safe"),
        (2, 5, "leaning_safe", "leaning_safe"),
        (1, 2, "ambiguous", "leaning_harmful"),
        (3, 5, "leaning_harmful", "leaning_harmful"),
        (4, 5, "harmful", "harmful"),
        (2, 3, "leaning_harmful", "leaning_harmful"),
        (4, 9, "ambiguous", "leaning_safe"),
        (0, 0, None, None),
    ],
)
def test_edges_belong_to_the_outer_bin(x: int, k: int, paper: str | None, four: str | None) -> None:
    assert point_bin(x, k) == paper
    assert point_bin(x, k, "20_50_80") == four


@given(st.integers(1, 300).flatmap(lambda k: st.tuples(st.integers(0, k), st.just(k))), schemes)
def test_bins_are_those_of_exact_fractions(counts: tuple[int, int], scheme: Scheme) -> None:
    x, k = counts
    rate, edges = Fraction(x, k), [Fraction(str(edge)) for edge in SCHEMES[scheme].edges]
    below = sum(rate > edge or (rate == edge and edge > Fraction(1, 2)) for edge in edges)
    if scheme == "20_50_80" and rate == Fraction(1, 2):
        below += 1
    assert point_bins(x, k, scheme) == below
    assert bin_of_rate(x / k, scheme) == point_bin(x, k, scheme)


@given(st.integers(1, 99).flatmap(lambda k: st.tuples(st.integers(0, k), st.just(k))))
def test_the_study_bins_mirror_when_refusal_and_compliance_swap(counts: tuple[int, int]) -> None:
    x, k = counts
    assert point_bins(x, k) == 4 - point_bins(k - x, k)


@pytest.mark.parametrize("rate", [0.1 + 0.2 - 0.1, 1 - 0.8, 0.2])
def test_a_rate_off_by_rounding_is_still_a_fifth(rate: float) -> None:
    assert bin_of_rate(rate) == "safe"


def test_a_missing_rate_has_no_bin() -> None:
    assert bin_of_rate(None) is None
    assert bin_of_rate(float("nan")) is None


@given(st.integers(1, 60).flatmap(lambda k: st.tuples(st.integers(0, k), st.just(k))), schemes)
def test_posterior_is_a_distribution_with_the_beta_cdf(counts: tuple[int, int], scheme: Scheme) -> None:
    x, k = counts
    found = bin_posterior(x, k, scheme)
    cdf = beta.cdf([0, *SCHEMES[scheme].edges, 1], 0.5 + x, 0.5 + k - x)
    assert found.probabilities == pytest.approx(np.diff(cdf), abs=1e-12)
    assert found.probabilities.sum() == pytest.approx(1)


def test_three_outcomes_place_no_request_with_certainty_and_thirty_do() -> None:
    few, many = bin_posterior(range(4), 3, "20_50_80"), bin_posterior([0, 10, 30], 30)
    assert few.best == pytest.approx([0.7725, 0.4612, 0.4612, 0.7725], abs=1e-4)
    assert not few.certain.any()
    assert many.certain.tolist() == [True, False, True]


def test_without_outcomes_there_is_no_posterior() -> None:
    found = bin_posterior([0, 1], [0, 2])
    assert np.isnan(found.probabilities[0]).all()
    assert found.certain.tolist() == [False, False]


def test_more_refusals_than_outcomes_are_refused() -> None:
    with pytest.raises(ValueError, match="4 refusals of 3"):
        point_bin(4, 3)
