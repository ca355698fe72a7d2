"""Risk–coverage area under ties: by hand, against every order, against a sorted curve."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.metrics.arrays import Ints
from analysis.metrics.aurc import aurc, aurc_of_counts, e_aurc, optimal_aurc

rows_of = st.lists(st.tuples(st.integers(1, 5), st.integers(0, 1)), min_size=1, max_size=60)


def area(wrong: Ints) -> float:
    """Mean risk of the j first rows of an order."""
    return float((np.cumsum(wrong) / np.arange(1, len(wrong) + 1)).mean())


def test_by_hand() -> None:
    """Order right, wrong: risks 0, ½ → .25; optimum the same; random ½."""
    found = aurc([2, 1], [1, 0])
    assert found == pytest.approx((0.25, 0.0, 0.25, 0.5))


def test_ties_are_the_mean_over_all_orders() -> None:
    confidence, correct = np.array([3, 3, 3, 1, 1, 2]), np.array([1, 0, 1, 0, 1, 0])
    areas = []
    for order in permutations(range(6)):
        ordered = sorted(order, key=lambda row: -confidence[row])
        areas.append(area(1 - correct[ordered]))
    assert aurc(confidence, correct).aurc == pytest.approx(np.mean(areas), abs=1e-12)


@given(st.lists(st.integers(0, 1), min_size=1, max_size=60))
def test_without_ties_it_is_the_plain_curve(correct: list[int]) -> None:
    wrong = 1 - np.array(correct)
    found = aurc(np.arange(len(correct))[::-1], correct)
    assert found.aurc == pytest.approx(area(wrong), abs=1e-12)
    assert found.optimal == pytest.approx(area(np.sort(wrong)), abs=1e-12)


@given(rows_of)
def test_excess_is_not_negative_and_row_order_is_irrelevant(rows: list[tuple[int, int]]) -> None:
    confidence, correct = np.array(rows).T
    found = aurc(confidence, correct)
    assert found.e_aurc is not None
    assert found.e_aurc >= -1e-12
    assert aurc(confidence[::-1], correct[::-1]).aurc == pytest.approx(found.aurc, abs=1e-12)


def test_one_level_is_the_error_rate() -> None:
    found = aurc([5] * 10, [1] * 7 + [0] * 3)
    assert found.aurc == pytest.approx(0.3)
    assert found.random == pytest.approx(0.3)


def test_nothing_is_undefined_and_batches_agree() -> None:
    assert aurc([], []) == (None, None, None, None)
    counts = np.random.default_rng(0).integers(0, 9, size=(7, 2, 5)).astype(float)
    assert e_aurc(counts) == pytest.approx([e_aurc(one) for one in counts])
    assert aurc_of_counts(counts) - optimal_aurc(counts) == pytest.approx(e_aurc(counts))
    assert np.isnan(aurc_of_counts(np.zeros((2, 5))))
