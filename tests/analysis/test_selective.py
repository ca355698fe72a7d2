"""Acting on confident predictions: coverage, accuracy, errors, thresholds, costs and guarantees."""

import numpy as np
import pytest

from analysis.intervals.binomial import clopper_pearson
from analysis.metrics import routing
from analysis.metrics.arrays import Floats
from analysis.metrics.selective import routing_gain, selection, selective
from analysis.metrics.table import confidence_cells, request_table

from .examples import simulated

CONFIDENCE = [5, 5, 5, 4, 4, 3, np.nan]
CORRECT = [1, 1, 0, 1, 0, 0, 1]


def test_selection_by_hand() -> None:
    found = selective(CONFIDENCE, CORRECT, 5)
    assert (found.n_covered, found.n) == (3, 7)
    assert found.coverage == pytest.approx(3 / 7)
    assert found.accuracy == pytest.approx(2 / 3)
    assert found.errors_passed == 1
    assert found.errors_caught == pytest.approx(2 / 3)


def test_a_row_without_confidence_is_never_covered() -> None:
    assert selective(CONFIDENCE, CORRECT, 1).n_covered == 6


def test_nothing_covered_has_no_accuracy() -> None:
    found = selective([1, 2], [1, 1], 5)
    assert found.accuracy is None
    assert found.coverage == 0
    assert found.status == "nothing_covered"
    assert selection(np.zeros((2, 5)), 0, 5).status == "undefined_empty"


def test_coverage_falls_and_errors_caught_rise_with_the_threshold() -> None:
    rows = simulated(100)
    found = [selective(rows.confidence, rows.correct, t) for t in (1, 2, 3, 4, 5)]
    coverage = [one.coverage or 0 for one in found]
    assert coverage == sorted(coverage, reverse=True)
    caught = [one.errors_caught or 0 for one in found]
    assert caught == sorted(caught)


def test_routing_gain_is_the_accuracy_gained_at_the_threshold() -> None:
    counts = np.zeros((2, 5))
    counts[:, 4], counts[:, 0] = (1, 9), (5, 5)
    assert routing_gain(counts) == pytest.approx(0.9 - 0.7)


def test_levels_by_prediction_add_up() -> None:
    cells = simulated().table.cells
    split = [routing.levels_where_predicted(cells, pred) for pred in (0, 1)]
    assert np.array_equal(split[0] + split[1], confidence_cells(cells))


def test_cost_by_hand() -> None:
    """One false alarm at 5, one miss at 4, a right row at 5, one without prediction."""
    table = request_table([0, 0, 1, 1], [0, 1, 1, 1], [1, 0, 1, np.nan], [5, 4, 5, np.nan])
    curve = {point.threshold: point for point in routing.cost_curve(table.cells.sum(axis=0), 10, 3, 1)}
    assert curve[5].cost == 10 + 2
    assert curve[4].cost == 10 + 3 + 1
    assert (curve[4].false_alarms, curve[4].misses, curve[4].routed) == (1, 1, 1)
    assert curve[4].cost_per_row == pytest.approx(3.5)


def levels(*by_level: tuple[int, int]) -> Floats:
    """One row a request: `by_level` (wrong, right) rows for confidence 5, 4, …"""
    rows = [(k, side) for k, pair in enumerate(by_level) for side in (0, 1) for _ in range(pair[side])]
    counts = np.zeros((len(rows), 2, 5))
    for row, (k, side) in enumerate(rows):
        counts[row, side, 4 - k] = 1
    return counts


def test_guarantee_is_the_clopper_pearson_bound_on_independent_rows() -> None:
    found = routing.guaranteed_threshold(levels((1, 299), (30, 70)), 0.05)
    assert found.threshold == 5
    assert found.upper_risk == pytest.approx(clopper_pearson(1, 300, 0.9).high, rel=0.01)
    assert found.coverage == pytest.approx(0.75)


def test_guarantee_stops_at_the_first_failure() -> None:
    """Level 4 alone spoils the bound; level 3 would dilute it again but is not reached."""
    counts = levels((0, 200), (20, 0), (0, 3000))
    assert routing.guaranteed_threshold(counts, 0.03).threshold == 5


def test_guarantee_is_refused_when_out_of_reach() -> None:
    found = routing.guaranteed_threshold(levels((5, 5)), 0.01)
    assert (found.threshold, found.status) == (None, "target_not_reached")


def test_a_threshold_is_evaluated_on_requests_it_was_not_chosen_on() -> None:
    """Alone the first request has errors at level 5; without it the others reach the target at 5."""
    counts = np.zeros((3, 2, 5))
    counts[0, 0, 4] = 10
    counts[1:, 1, 4] = 10
    found = routing.folded_selection(counts, 0.95, 3)
    assert found.thresholds == (1, 0, 0)
    assert found.accuracy == 0
    assert found.coverage == pytest.approx(1 / 3)
