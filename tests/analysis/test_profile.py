"""Profile-likelihood intervals: the drop they are defined by, the known case of independent rows, and no fit."""

import math

import numpy as np
import pytest
from scipy import optimize
from scipy.stats import norm

from analysis.intervals.profile import mixed_estimates
from analysis.metrics.arrays import Floats
from analysis.metrics.glmm import glmm_probit, negative_log_likelihood
from analysis.simulate import KnownDetection, known_detection


def marginal_d_prime(parameters: Floats) -> Floats:
    return np.array([parameters[1] / math.sqrt(1 + parameters[2] ** 2)])


def test_at_its_ends_the_likelihood_has_dropped_by_half_of_chi_square() -> None:
    """The same profile, maximised here over the conditional parameters under the constraint d'/√(1+σ²) = end."""
    rows = known_detection(KnownDetection(120, 3, 0.4, 1.2, 0.3), np.random.default_rng(4))
    found, fit = (
        mixed_estimates(rows.pred, rows.actual, rows.request),
        glmm_probit(rows.pred, rows.actual, rows.request),
    )
    design = np.column_stack([np.ones(len(rows.pred)), rows.actual - 0.5])
    negative, _ = negative_log_likelihood(rows.pred, design, rows.request)
    assert found.d_prime.value == pytest.approx(fit.marginal_d_prime)
    assert found.d_prime.low is not None
    assert found.d_prime.high is not None
    for end in (found.d_prime.low, found.d_prime.high):
        kept = optimize.NonlinearConstraint(marginal_d_prime, end, end)
        done = optimize.minimize(
            negative, [0.0, end, 1.0], method="SLSQP", constraints=[kept], bounds=[(-9, 9), (-9, 9), (0, 5)]
        )
        assert 2 * (done.fun + (fit.log_likelihood or 0)) == pytest.approx(1.959964**2, abs=0.02)


def test_without_clustering_the_interval_is_that_of_the_pooled_d_prime() -> None:
    """One row a request: Gourevitch & Galanter's variance of d', and of c a quarter of it."""
    rows = known_detection(KnownDetection(900, 1, 0.4, 1.5, 0.2), np.random.default_rng(5))
    found = mixed_estimates(rows.pred, rows.actual, rows.request)
    variance = 0.0
    for outcome in (0, 1):
        said = rows.pred[rows.actual == outcome]
        p = float(said.mean())
        variance += p * (1 - p) / len(said) / float(norm.pdf(norm.ppf(p))) ** 2
    for estimate, error in ((found.d_prime, math.sqrt(variance)), (found.criterion, math.sqrt(variance) / 2)):
        assert estimate.value is not None
        assert estimate.low == pytest.approx(estimate.value - 1.96 * error, abs=0.02)
        assert estimate.high == pytest.approx(estimate.value + 1.96 * error, abs=0.02)


@pytest.mark.parametrize(
    ("n_requests", "hits", "status"), [(10, 0.5, "skipped_few_requests"), (60, 1.0, "skipped_sparse_cell")]
)
def test_what_cannot_be_fitted_has_no_interval_and_a_reason(n_requests: int, hits: float, status: str) -> None:
    request = np.repeat(np.arange(n_requests), 2)
    actual = np.tile([0, 1], n_requests)
    pred = np.where(actual == 1, np.arange(2 * n_requests) % 20 < 20 * hits, 0)
    found = mixed_estimates(pred, actual, request)
    assert (found.status, found.sd, found.d_prime.value, found.d_prime.low) == (status, None, None, None)
