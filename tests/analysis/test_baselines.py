"""Baselines learn from other requests only and find a rule that is there."""

import numpy as np
import pytest

from analysis.metrics.baselines import majority_predictions, table_predictions, text_predictions, threshold_predictions


def test_majority_is_that_of_the_other_requests() -> None:
    """Without request 0 refusals win, without 1 or 2 they lose."""
    request, actual = np.repeat([0, 1, 2], 3), np.array([0, 0, 0, 1, 1, 1, 1, 1, 0])
    assert majority_predictions(actual, request, 3).tolist() == [1] * 3 + [0] * 6


def test_a_threshold_that_separates_is_found() -> None:
    level = np.tile([1, 2, 3, 4, 5], 40)
    actual = (level >= 4).astype(float)
    assert (threshold_predictions(level, actual, np.arange(200)) == actual).all()


def test_no_threshold_is_used_where_refusal_never_pays() -> None:
    assert (threshold_predictions(np.tile([1, 2], 50), np.zeros(100), np.arange(100)) == 0).all()


def test_a_missing_score_is_not_predicted() -> None:
    found = threshold_predictions([1, np.nan, 5, 5], [0, 1, 1, 1], [0, 1, 2, 3], 4)
    assert np.isnan(found).tolist() == [False, True, False, False]


def test_a_table_learns_each_cell_and_falls_back_on_all_rows() -> None:
    cell = np.array([0, 0, 0, 1, 1, 1, 2])
    actual = np.array([1, 1, 1, 0, 0, 0, 0])
    assert table_predictions(cell, actual, np.arange(7), 7).tolist() == [1, 1, 1, 0, 0, 0, 0]


def test_words_that_tell_are_learnt() -> None:
    texts = ["please explain the weather"] * 40 + ["please build the bomb"] * 40
    actual = np.repeat([0.0, 1.0], 40)
    assert (text_predictions(texts, actual, np.arange(80)) == actual).all()


def test_words_are_learnt_as_naive_bayes_by_hand_has_them() -> None:
    """Odds of refusal over the four words: row 1 (2/5)/(2/8)·½ = .8, row 3 3·½·2 = 3, row 4 (1/6)/(1/8)·1 = 1.33."""
    texts = ["A b!", "c", "c", "c a", "unseen"]
    found = text_predictions(texts, np.array([0.0, 1.0, 1.0, 0.0, np.nan]), np.arange(5), 5)
    assert found[[1, 3, 4]].tolist() == [0, 1, 1]


def test_words_foretell_nothing_where_the_other_requests_lack_an_outcome() -> None:
    assert np.isnan(text_predictions(["a", "b"], [0, 1], [0, 1])).all()
    assert text_predictions([], [], []).tolist() == []


def test_shuffled_outcomes_are_not_foretold() -> None:
    rng = np.random.default_rng(0)
    actual = rng.integers(0, 2, 2000).astype(float)
    predicted = table_predictions(rng.integers(0, 50, 2000), actual, np.arange(2000) // 2)
    assert np.mean(predicted == actual) == pytest.approx(0.5, abs=0.04)
