"""Calibration error by level: by hand, against a plain loop, its bias and its traps."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.metrics.adaptive_ece import ece_adaptive
from analysis.metrics.calibration import MAPS, ConfidenceMap, debiased_squared, ece, ece_levels, map_values
from analysis.metrics.recalibration import recalibrated, recalibrated_ece
from analysis.metrics.smooth_ece import smooth_ece, smooth_ece_of
from analysis.metrics.table import confidence_cells

from .examples import simulated

levels_and_outcomes = st.lists(st.tuples(st.integers(1, 5), st.integers(0, 1)), min_size=1, max_size=80)


def test_ece_by_hand() -> None:
    """Level 5: 3 of 4 right, |.75 − 1|·4/6; level 2: 1 of 2 right, |.5 − .4|·2/6: .1667 + .0333 = .2."""
    found = ece_levels([5, 5, 5, 5, 2, 2], [1, 1, 1, 0, 1, 0])
    assert found.ece == pytest.approx(0.2)
    assert found.maximum == pytest.approx(0.25)
    assert found.rms == pytest.approx(math.sqrt(0.25**2 * 4 / 6 + 0.1**2 * 2 / 6))
    assert found.debiased_squared == pytest.approx(4 / 6 * (0.0625 - 0.1875 / 3) + 2 / 6 * (0.01 - 0.25))
    assert found.debiased_rms == 0
    assert found.mce is None


@given(levels_and_outcomes, st.sampled_from(MAPS))
def test_ece_is_that_of_a_loop_over_levels(rows: list[tuple[int, int]], mapping: ConfidenceMap) -> None:
    confidence, correct = np.array(rows).T
    p = map_values(mapping)
    gaps = [
        abs(correct[confidence == k].mean() - p[k - 1]) * (confidence == k).mean()
        for k in range(1, 6)
        if (confidence == k).any()
    ]
    assert ece_levels(confidence, correct, mapping).ece == pytest.approx(sum(gaps), abs=1e-12)


def test_neighbouring_levels_are_never_merged() -> None:
    """Levels 2 and 3 err in opposite directions: one bin for both would show (50·.1 − 50·.1)."""
    confidence = [2] * 50 + [3] * 50
    correct = [1] * 25 + [0] * 25 + [1] * 25 + [0] * 25
    assert ece_levels(confidence, correct).ece == pytest.approx(0.1)


def test_rows_with_a_null_are_dropped_and_counted() -> None:
    found = ece_levels([5, np.nan, 5, 4], [1, 1, np.nan, 1])
    assert (found.n, found.n_dropped) == (2, 2)
    assert ece_levels([], []).ece is None


def test_the_maps_span_what_they_say() -> None:
    assert map_values("k/5").tolist() == [0.2, 0.4, 0.6, 0.8, 1.0]
    assert map_values("affine_half_to_one").tolist() == [0.5, 0.625, 0.75, 0.875, 1.0]
    assert map_values("(k-1)/4").tolist() == [0, 0.25, 0.5, 0.75, 1.0]
    assert map_values("midpoint_half") == pytest.approx([0.55, 0.65, 0.75, 0.85, 0.95])
    assert map_values("level_midpoint") == pytest.approx([0.1, 0.3, 0.5, 0.7, 0.9])


def test_debiased_square_is_unbiased_where_ece_is_not() -> None:
    rng = np.random.default_rng(0)
    p = map_values("level_midpoint")
    right = rng.binomial(30, p, size=(4000, 5))
    counts = np.stack([30 - right, right], axis=1).astype(float)
    squared = debiased_squared(counts, p)
    assert abs(squared.mean()) < 4 * squared.std() / math.sqrt(4000)
    assert ece(counts, p).mean() > 0.03


def test_adaptive_ece_keeps_ties_together() -> None:
    p, y = np.repeat([0.2, 0.6], 50), np.tile([0, 1], 50)
    assert ece_adaptive(p, y, 10) == pytest.approx(0.2)
    assert ece_adaptive([], []) is None


def test_adaptive_ece_with_one_bin_is_the_mean_gap() -> None:
    rng = np.random.default_rng(0)
    p = rng.random(200)
    y = (rng.random(200) < p).astype(int)
    assert ece_adaptive(p, y, 1) == pytest.approx(abs((y - p).mean()))


def test_smooth_ece_counts_mass_on_the_edge_in_full() -> None:
    """All at p = 1 with 80 % right: the residual is −.2 everywhere under any kernel."""
    assert smooth_ece(np.ones(100), [1] * 80 + [0] * 20) == pytest.approx(0.2, abs=1e-6)
    assert smooth_ece(np.zeros(100), [1] * 30 + [0] * 70) == pytest.approx(0.3, abs=1e-6)


def test_smooth_ece_is_the_fixed_point_of_a_directly_integrated_kernel() -> None:
    rng = np.random.default_rng(3)
    p = rng.random(150)
    y = (rng.random(150) < p**1.5).astype(int)
    sigma = smooth_ece(p, y)
    assert sigma is not None
    t = (np.arange(4000) + 0.5) / 4000
    images = [p + 2 * shift for shift in range(-3, 4)] + [-p + 2 * shift for shift in range(-3, 4)]
    kernel = sum(np.exp(-((t[:, None] - q) ** 2) / (2 * sigma**2)) for q in images) / (sigma * math.sqrt(2 * math.pi))
    assert np.abs(kernel @ (y - p) / 150).mean() == pytest.approx(sigma, abs=1e-4)


def test_smooth_ece_of_counts_is_that_of_their_rows() -> None:
    counts = np.array([[3.0, 0, 2, 5, 4], [1, 0, 4, 20, 60]])
    p = np.arange(1, 6) / 5
    forecasts = np.repeat(np.tile(p, 2), counts.reshape(-1).astype(int))
    outcomes = np.repeat([0, 1], counts.sum(axis=1).astype(int))
    wanted = smooth_ece(forecasts, outcomes)
    found = smooth_ece_of(np.stack([counts, 0 * counts]), p)
    assert found[0] == pytest.approx(wanted, abs=1e-9)
    assert np.isnan(found[1])


def test_smooth_ece_refuses_forecasts_outside_the_unit_interval() -> None:
    with pytest.raises(ValueError, match=r"1\.2"):
        smooth_ece([0.5, 1.2], [0, 1])


def test_recalibration_uses_other_requests_only() -> None:
    levels = np.zeros((4, 2, 5))
    levels[0, 1, 4] = 10
    levels[1:, 0, 4] = 10
    p = recalibrated(levels, 4)
    assert p[0, 4] == pytest.approx(0.5 / 31)
    assert p[1, 4] == pytest.approx(10.5 / 31)


def test_recalibration_removes_most_of_the_error() -> None:
    levels = confidence_cells(simulated(200).table.cells)
    after = recalibrated_ece(levels)
    assert after is not None
    assert after < 0.2 * float(ece(levels.sum(axis=0), map_values("(k-1)/4")))
