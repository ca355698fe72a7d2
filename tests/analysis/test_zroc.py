"""zROC slope: exact on expected counts of Gaussians with known spreads."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from analysis.metrics.zroc import zroc

EDGES = np.array([-np.inf, -1.2, -0.6, 0.0, 0.5, 1.1, np.inf])


@pytest.mark.parametrize("spread", [1.0, 1.5, 0.6])
def test_slope_is_the_ratio_of_spreads(spread: float) -> None:
    noise = 1e7 * np.diff(norm.cdf(EDGES, -0.6, 1.0))
    signal = 1e7 * np.diff(norm.cdf(EDGES, 0.6, spread))
    found = zroc(noise, signal)
    assert found.slope == pytest.approx(1 / spread, abs=1e-4)
    assert found.d_a == pytest.approx(1.2 / math.sqrt((1 + spread**2) / 2), abs=1e-4)
    assert found.status == ("ok" if spread == 1 else "unequal_variance")


def test_undefined_has_a_reason() -> None:
    assert zroc([0, 0, 0, 0], [1, 2, 3, 4]).status == "undefined_empty_class"
    assert zroc([5, 5, 0, 0], [0, 5, 5, 0]).status == "undefined_few_criteria"
