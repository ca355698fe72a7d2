"""meta-d': exact on noiseless cell counts, flat likelihood at the optimum, gate and padding."""

import numpy as np
import pytest
from scipy.optimize import check_grad
from scipy.stats import norm

from analysis.intervals.bootstrap import cluster_bootstrap
from analysis.metrics.arrays import Floats
from analysis.metrics.m_ratio import m_ratio_of
from analysis.metrics.meta_d import in_use, log_likelihood, meta_d, meta_d_gate, padded
from analysis.metrics.table import signed_rating_cells

from .examples import simulated


def ideal_counts(d_prime: float, criterion: float, steps: tuple[float, ...] = (0.4, 0.9, 1.4)) -> Floats:
    """Expected rows by rating of an observer whose confidence uses the evidence in full; 1000 rows a class."""
    edges = np.array([-np.inf, *(criterion - np.array(steps[::-1])), criterion, *(criterion + np.array(steps)), np.inf])
    return 1000 * np.stack([np.diff(norm.cdf(edges, mean)) for mean in (-d_prime / 2, d_prime / 2)])


@pytest.mark.parametrize("criterion", [-0.5, 0.0, 0.3])
@pytest.mark.parametrize("d_prime", [0.8, 1.5, 2.4])
def test_an_ideal_observer_has_an_m_ratio_of_one(d_prime: float, criterion: float) -> None:
    found = meta_d(*ideal_counts(d_prime, criterion))
    assert found.d_prime == pytest.approx(d_prime, abs=1e-9)
    assert found.meta_d == pytest.approx(d_prime, abs=1e-4)
    assert found.m_ratio == pytest.approx(1, abs=1e-4)


def test_confidence_that_knows_nothing_has_meta_d_of_zero() -> None:
    counts = ideal_counts(1.5, 0.0)
    k = counts.shape[1] // 2
    blind = np.concatenate(
        [counts[:, :k].sum(1, keepdims=True) * [[0.25] * 4], counts[:, k:].sum(1, keepdims=True) * [[0.25] * 4]], axis=1
    )
    assert meta_d(*blind).meta_d == pytest.approx(0, abs=1e-3)


def test_mirroring_responses_and_classes_leaves_meta_d() -> None:
    noise, signal = [120, 60, 30, 14, 9, 4], [6, 11, 25, 40, 70, 95]
    assert meta_d(signal[::-1], noise[::-1]).meta_d == pytest.approx(meta_d(noise, signal).meta_d, abs=1e-5)


def test_the_gradient_is_that_of_the_likelihood() -> None:
    counts = np.array([[80.0, 60, 30, 14, 9, 4], [6, 11, 20, 40, 70, 95]])

    def value(x: Floats) -> float:
        return float(log_likelihood(x, counts, np.array(0.1))[0])

    def gradient(x: Floats) -> Floats:
        return log_likelihood(x, counts, np.array(0.1))[1]

    assert check_grad(value, gradient, np.array([1.4, -0.6, -0.3, -0.7, -0.2])) < 1e-4


def test_unused_levels_are_merged_and_empty_cells_padded() -> None:
    counts = np.array([[0, 300, 30, 6, 3, 0], [0, 2, 5, 20, 90, 0]], dtype=float)
    assert in_use(counts).shape == (2, 4)
    filled, padding = padded(np.array([[1.0, 0], [2, 3]]))
    assert padding == 0.5
    assert filled[0, 1] == 0.5
    assert meta_d(*counts).n_levels == 2


def test_gate() -> None:
    assert meta_d_gate(*ideal_counts(1.5, 0)) == "ok"
    assert meta_d_gate(*ideal_counts(3.9, 0)) == "gated_d_prime_out_of_range"
    assert meta_d_gate([90, 9, 1, 0], [0, 1, 9, 90]) == "gated_few_errors"
    assert meta_d_gate([50, 50], [50, 50]) == "gated_one_level"
    assert meta_d_gate([1, 2], [0, 0]) == "undefined_empty_class"


def test_undefined_inputs_have_a_reason() -> None:
    assert meta_d([10, 5, 2, 1], [0, 0, 0, 0]).status == "undefined_empty_class"
    assert meta_d([0, 50, 50, 0], [0, 50, 50, 0]).status == "undefined_one_level"
    assert meta_d([10, 20, 20, 10], [10, 20, 20, 10]).status == "undefined_d_prime_zero"
    with pytest.raises(ValueError, match="same even length"):
        meta_d([1, 2, 3], [1, 2, 3])


@pytest.mark.parametrize("seed", range(3))
def test_many_m_ratios_at_once_are_those_of_single_fits(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = signed_rating_cells(simulated(60, d_prime=1.2).table.cells)
    drawn = rng.multinomial(len(cells), np.full(len(cells), 1 / len(cells)), size=40)
    totals = np.einsum("bg,gij->bij", drawn, cells)
    totals[0, :, :4], totals[0, :, 6:] = 0, 0  # one level in use
    totals[1, 1] = 0  # nothing refused
    totals[2, 0, 9] = totals[2, 1, 0] = 0
    alone = [meta_d(noise, signal).m_ratio for noise, signal in totals]
    wanted = np.array([np.nan if value is None else value for value in alone])
    assert np.isnan(wanted[:2]).all()
    np.testing.assert_allclose(m_ratio_of(totals), wanted, atol=1e-5)


def test_m_ratio_has_a_cluster_bootstrap_interval() -> None:
    counts = signed_rating_cells(simulated(150, d_prime=1.5).table.cells)
    found = cluster_bootstrap(counts, m_ratio_of, np.random.default_rng(0), 100)
    assert found.low is not None
    assert found.high is not None
    assert found.value is not None
    assert found.low < found.value < found.high
