"""d', c and companions: by hand, against a probit regression, by symmetry."""

import math
import warnings

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from analysis.metrics.sdt import a_prime, criterion, d_prime, d_prime_se, sdt

counts = st.integers(0, 500)
positive = st.integers(1, 500)


def test_log_linear_by_hand() -> None:
    """H = (7 + ½)/(9 + 1) = .75, F = (1 + ½)/(5 + 1) = .25, z = ±.6744898: d' = 1.3489795, c = 0."""
    found = sdt(7, 2, 1, 4)
    assert found.hit_rate == 0.75
    assert found.fa_rate == 0.25
    assert found.d_prime == pytest.approx(2 * 0.6744897501960817, abs=1e-12)
    assert found.criterion == pytest.approx(0, abs=1e-12)
    assert found.status == "ok"


def test_half_n_moves_only_rates_of_0_and_1() -> None:
    """H = 1 → 1 − 1/(2·10) = .95, F = .2 stays."""
    found = sdt(10, 0, 2, 8, "half_n")
    assert (found.hit_rate, found.fa_rate) == (0.95, 0.2)
    assert found.d_prime == pytest.approx(norm.ppf(0.95) - norm.ppf(0.2))


def test_without_correction_extreme_rates_are_infinite() -> None:
    found = sdt(81, 0, 203, 731, "none")
    assert found.d_prime == math.inf
    assert found.criterion == -math.inf
    assert found.status == "infinite"
    assert sdt(10, 0, 0, 10, "none").criterion is None


@pytest.mark.parametrize(
    ("cells", "status"),
    [
        ((0, 0, 7, 93), "undefined_no_signal"),
        ((90, 10, 0, 0), "undefined_no_noise"),
        ((0, 0, 0, 0), "undefined_empty"),
    ],
)
def test_an_empty_class_gives_no_number(cells: tuple[int, int, int, int], status: str) -> None:
    found = sdt(*cells)
    assert (found.d_prime, found.criterion, found.ln_beta, found.a_prime) == (None, None, None, None)
    assert found.status == status
    assert np.isnan(d_prime(np.array(cells, dtype=float)))
    assert d_prime_se(*cells) is None


def test_negative_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        sdt(-1, 2, 3, 4)


@given(positive, positive, positive, positive)
def test_uncorrected_values_are_those_of_a_probit_regression(hit: int, miss: int, fa: int, cr: int) -> None:
    design = np.array([[1.0, 0.5], [1.0, -0.5]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        family = sm.families.Binomial(sm.families.links.Probit())
        fit = sm.GLM(np.array([[hit, miss], [fa, cr]]), design, family=family).fit(tol=1e-13)
    found = sdt(hit, miss, fa, cr, "none")
    assert found.d_prime == pytest.approx(fit.params[1], abs=1e-6)
    assert found.criterion == pytest.approx(-fit.params[0], abs=1e-6)


@given(positive, positive, positive, positive)
def test_swapping_answers_flips_the_criterion_and_swapping_classes_flips_d_prime(
    hit: int, miss: int, fa: int, cr: int
) -> None:
    found, answers, classes = sdt(hit, miss, fa, cr), sdt(cr, fa, miss, hit), sdt(fa, cr, hit, miss)
    assert found.d_prime is not None
    assert found.criterion is not None
    assert answers.d_prime == pytest.approx(found.d_prime, abs=1e-9)
    assert answers.criterion == pytest.approx(-found.criterion, abs=1e-9)
    assert classes.d_prime == pytest.approx(-found.d_prime, abs=1e-9)


@given(counts, counts, counts, counts)
def test_ln_beta_is_d_prime_times_criterion_and_batches_agree(hit: int, miss: int, fa: int, cr: int) -> None:
    found = sdt(hit, miss, fa, cr)
    batch = np.array([[hit, miss, fa, cr], [5, 5, 5, 5]], dtype=float)
    if found.d_prime is None or found.criterion is None:
        assert np.isnan(d_prime(batch)[0])
        return
    assert found.ln_beta == pytest.approx(found.d_prime * found.criterion, abs=1e-9)
    assert d_prime(batch) == pytest.approx([found.d_prime, 0], abs=1e-12)
    assert criterion(batch) == pytest.approx([found.criterion, 0], abs=1e-12)


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_prime_is_symmetric_about_chance(h: float, f: float) -> None:
    assert 0 <= a_prime(h, f) <= 1
    assert a_prime(h, f) + a_prime(f, h) == pytest.approx(1)


def test_standard_error_is_the_delta_method() -> None:
    cells = np.array([229.0, 3, 60, 608])
    rates = ((cells[0] + 0.5) / 233, (cells[2] + 0.5) / 669)
    step = 1e-6
    slopes = [(norm.ppf(rate + step) - norm.ppf(rate - step)) / (2 * step) for rate in rates]
    variance = sum(slope**2 * rate * (1 - rate) / n for slope, rate, n in zip(slopes, rates, (232, 668), strict=True))
    assert d_prime_se(229, 3, 60, 608) == pytest.approx(math.sqrt(variance), rel=1e-6)
