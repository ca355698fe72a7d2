"""Probit mixed model: the pooled fit without clustering, the truth with it, no fit where cells are empty."""

import math

import numpy as np
import pytest
from scipy import integrate
from scipy.stats import norm

from analysis.metrics.arrays import Bools
from analysis.metrics.glmm import fit_probit, glmm_probit
from analysis.metrics.sdt import sdt
from analysis.simulate import KnownDetection, known_detection


def test_with_one_row_a_request_marginal_values_are_the_pooled_ones() -> None:
    """A random intercept is not identified there, but the marginal rates are: d'/√(1+σ²) is fixed."""
    rows = known_detection(KnownDetection(400, 1, 0.4, 1.5, 0.2), np.random.default_rng(0))
    found = glmm_probit(rows.pred, rows.actual, rows.request)
    pairs = list(zip(rows.actual, rows.pred, strict=True))
    hit, miss, fa, cr = (pairs.count(cell) for cell in ((1, 1), (1, 0), (0, 1), (0, 0)))
    pooled = sdt(hit, miss, fa, cr, "none")
    assert found.marginal_d_prime == pytest.approx(pooled.d_prime, abs=2e-3)
    assert found.criterion == pytest.approx(pooled.criterion, abs=2e-3)


def test_it_recovers_the_truth_of_clustered_rows() -> None:
    """ρ_p = .6 means σ² = .6/.4, conditional d' = 1.5/√.4."""
    rows = known_detection(KnownDetection(3000, 4, 0.4, 1.5, 0.2), np.random.default_rng(1))
    found = glmm_probit(rows.pred, rows.actual, rows.request)
    assert found.sd == pytest.approx(math.sqrt(1.5), abs=0.08)
    assert found.d_prime == pytest.approx(1.5 / math.sqrt(0.4), abs=0.12)
    assert found.marginal_d_prime == pytest.approx(1.5, abs=0.06)
    assert found.criterion == pytest.approx(0.2, abs=0.04)


def test_the_likelihood_is_that_of_numerical_integration() -> None:
    rows = known_detection(KnownDetection(40, 3, 0.4, 1.0, 0.0), np.random.default_rng(2))
    design = np.column_stack([np.ones(120), rows.actual - 0.5])
    fit = fit_probit(rows.pred, design, rows.request)
    eta, sign = design @ fit.coefficients, 2 * rows.pred - 1
    total = 0.0
    for request in range(40):
        own = rows.request == request

        def density(u: float, own: Bools = own) -> float:
            return float(norm.cdf(sign[own] * (eta[own] + fit.sd * u)).prod() * norm.pdf(u))

        total += math.log(integrate.quad(density, -8, 8, epsabs=1e-12)[0])
    assert fit.log_likelihood == pytest.approx(total, abs=1e-4)


def test_extra_columns_are_effects_of_their_own() -> None:
    rng = np.random.default_rng(3)
    easy = known_detection(KnownDetection(800, 3, 0.4, 2.5, 0.0, 0.8, 0.0), rng)
    hard = known_detection(KnownDetection(800, 3, 0.4, 1.0, 0.0, 0.8, 0.0), rng)
    actual, pred = np.concatenate([easy.actual, hard.actual]), np.concatenate([easy.pred, hard.pred])
    group = np.repeat([0.0, 1.0], 2400)
    design = np.column_stack([np.ones(4800), actual - 0.5, (actual - 0.5) * group])
    fit = fit_probit(pred, design, np.concatenate([easy.request, hard.request + 800]))
    assert fit.coefficients[1] == pytest.approx(2.5, abs=0.2)
    assert fit.coefficients[2] == pytest.approx(-1.5, abs=0.2)


def test_a_sparse_table_is_not_fitted() -> None:
    pred, actual = [1] * 80 + [1] * 20 + [0] * 80, [1] * 80 + [0] * 100
    found = glmm_probit(pred, actual, np.arange(180) // 3)
    assert (found.d_prime, found.status) == (None, "skipped_sparse_cell")
