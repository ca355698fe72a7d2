"""Brier score, its decomposition, log score and the forecast of refusal."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss, log_loss

from analysis.metrics.brier import brier_of_counts, log_score, murphy, refusal_forecast
from analysis.metrics.calibration import level_counts, map_values

forecasts = st.lists(st.tuples(st.integers(1, 5), st.integers(0, 1)), min_size=1, max_size=80)


def test_brier_by_hand() -> None:
    """p = .8 with 3 of 4 right: (3·.04 + .64)/4 = .19 = (.8 − .75)² − 0 + .75·.25."""
    found = murphy([0.8] * 4, [1, 1, 1, 0])
    assert found.brier == pytest.approx(0.19)
    assert found.reliability == pytest.approx(0.0025)
    assert found.resolution == pytest.approx(0)
    assert found.uncertainty == pytest.approx(0.1875)


@given(forecasts)
def test_murphy_adds_up_and_is_scikit_learns_brier(rows: list[tuple[int, int]]) -> None:
    level, y = np.array(rows).T
    p = level / 5
    found = murphy(p, y)
    assert found.brier is not None
    assert found.reliability is not None
    assert found.resolution is not None
    assert found.uncertainty is not None
    assert found.reliability - found.resolution + found.uncertainty == pytest.approx(found.brier, abs=1e-12)
    assert found.brier == pytest.approx(brier_score_loss(y, p), abs=1e-12)
    assert brier_of_counts(level_counts(level, y)[0], map_values("k/5")) == pytest.approx(found.brier, abs=1e-12)


@given(forecasts)
def test_resolution_does_not_depend_on_the_map(rows: list[tuple[int, int]]) -> None:
    level, y = np.array(rows).T
    first, second = murphy(map_values("k/5")[level - 1], y), murphy(map_values("(k-1)/4")[level - 1], y)
    assert first.resolution == pytest.approx(second.resolution, abs=1e-12)


def test_log_score_is_scikit_learns_log_loss() -> None:
    p, y = np.array([0.8, 0.4, 0.6]), np.array([1, 0, 0])
    assert log_score(p, y) == pytest.approx(log_loss(y, p))
    assert log_score([0.0, 0.5], [1, 0]) == math.inf
    assert log_score([1.0, 0.0], [1, 0]) == 0
    assert log_score([np.nan], [1]) is None


def test_log_score_takes_a_rate_as_target() -> None:
    assert log_score([0.5], [0.25]) == pytest.approx(math.log(2))


def test_the_forecast_of_refusal_turns_with_the_prediction() -> None:
    assert refusal_forecast([1, 0], [0.8, 0.8]) == pytest.approx([0.8, 0.2])
    assert np.isnan(refusal_forecast([np.nan], [0.8])).all()
