"""Sign flips, McNemar, Holm, Manski: against enumeration, statsmodels and the rules for nothing to test."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

from analysis.metrics.holm import holm
from analysis.metrics.manski import manski_bounds
from analysis.metrics.mcnemar import mcnemar
from analysis.metrics.paired import cluster_sign_flip


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=9))
def test_exact_sign_flip_is_an_enumeration(totals: list[int]) -> None:
    flips = [
        abs(sum(s * t for s, t in zip(signs, totals, strict=True))) for signs in product((1, -1), repeat=len(totals))
    ]
    expected = np.mean(np.array(flips) >= abs(sum(totals)))
    found = cluster_sign_flip(totals, np.arange(len(totals)))
    assert found.exact
    assert found.p_value == pytest.approx(expected)


def test_sampled_sign_flip_is_close_to_exact_and_repeatable() -> None:
    totals = np.array([1] * 12 + [-1] * 4)
    flips = np.array([abs(sum(signs)) for signs in product((1, -1), repeat=16)])
    found = cluster_sign_flip(totals, np.arange(16))
    assert not found.exact
    assert found.p_value == pytest.approx(np.mean(flips >= 8), abs=0.01)
    assert found == cluster_sign_flip(totals, np.arange(16))


def test_a_sampled_p_value_is_never_zero() -> None:
    """Two hundred requests all one way: no flip is as extreme, add-one leaves 1/10 000."""
    assert cluster_sign_flip([1] * 200, range(200)).p_value == pytest.approx(1e-4)


def test_rows_of_one_request_flip_together() -> None:
    """Six equal rows in two requests: 2 of 4 flips are as extreme; as six requests it would be 2 of 64."""
    assert cluster_sign_flip([1] * 6, [0, 0, 0, 1, 1, 1]).p_value == 0.5
    assert cluster_sign_flip([1] * 6, range(6)).p_value == pytest.approx(2 / 64)


def test_no_difference_has_a_p_value_of_one() -> None:
    assert cluster_sign_flip([0, 0, 0], [0, 1, 2]).p_value == 1
    assert cluster_sign_flip([], []).difference is None
    assert cluster_sign_flip([1, np.nan, 0], [0, 1, 2]).difference == 0.5


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_that_of_statsmodels(b: int, c: int) -> None:
    found = mcnemar(b, c)
    table = [[5, b], [c, 5]]
    assert found.exact == pytest.approx(statsmodels_mcnemar(table, exact=True).pvalue)
    assert 0 < found.midp <= found.exact
    if b != c:
        oracle = statsmodels_mcnemar(table, exact=False, correction=True)
        assert (found.chi2, found.p_chi2) == pytest.approx((oracle.statistic, oracle.pvalue))


def test_mcnemar_without_discordant_rows_is_one() -> None:
    assert mcnemar(0, 0).midp == 1
    assert mcnemar(7, 7).midp == pytest.approx(1)
    with pytest.raises(ValueError, match="negative"):
        mcnemar(-1, 0)


@settings(max_examples=15)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_is_that_of_statsmodels(p_values: list[float]) -> None:
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1].tolist())


def test_holm_skips_what_is_undefined() -> None:
    assert holm([0.01, None, 0.04, float("nan")]) == [0.02, None, 0.04, None]
    assert holm([]) == []


def test_manski_bounds_hold_all_that_could_have_been() -> None:
    assert manski_bounds(8, 1, 1) == (0.8, 0.9)
    assert manski_bounds(0, 0, 0) == (None, None)
    with pytest.raises(ValueError, match="negative"):
        manski_bounds(1, -1, 0)
