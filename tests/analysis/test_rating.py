"""AUROC of signed ratings and of confidence, against scikit-learn and by counting pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from analysis.metrics.rating import auroc, auroc_from_table, auroc_of_counts, auroc_signed, auroc_type2, signed_rating
from analysis.metrics.table import signed_rating_cells

from .examples import simulated, with_nulls

scored = st.lists(st.tuples(st.integers(0, 1), st.integers(1, 5)), min_size=2, max_size=60)


def test_signed_rating_runs_from_certain_compliance_to_certain_refusal() -> None:
    assert signed_rating([0, 0, 1, 1, np.nan, 1], [5, 1, 1, 5, 3, np.nan])[:4].tolist() == [1, 5, 6, 10]
    assert np.isnan(signed_rating([np.nan, 1], [3, np.nan])).all()


def test_auroc_by_hand() -> None:
    """Pairs (3 vs 1), (3 vs 3), (2 vs 1), (2 vs 3): 1 + ½ + 1 + 0 = 2.5 of 4."""
    assert auroc([1, 1, 0, 0], [3, 2, 1, 3]) == 0.625


@given(scored)
def test_auroc_is_that_of_scikit_learn(rows: list[tuple[int, int]]) -> None:
    label, score = np.array(rows).T
    found = auroc(label, score)
    if len(set(label)) < 2:
        assert found is None
        return
    assert found == pytest.approx(roc_auc_score(label, score), abs=1e-12)
    counts = np.zeros((2, 5))
    np.add.at(counts, (label, score - 1), 1)
    assert auroc_from_table(counts) == pytest.approx(found, abs=1e-12)


@given(scored)
def test_auroc_of_the_other_class_is_the_complement(rows: list[tuple[int, int]]) -> None:
    label, score = np.array(rows).T
    found, other = auroc(label, score), auroc(1 - label, score)
    if found is not None:
        assert other == pytest.approx(1 - found)


def test_no_errors_means_no_type_2_auroc_and_ties_mean_a_half() -> None:
    assert auroc_type2([1, 1, 1], [5, 4, 5]) is None
    assert auroc_type2([1, 0, 1, 0], [5, 5, 5, 5]) == 0.5
    assert auroc_from_table(np.zeros((2, 5))) is None


def test_rows_and_counts_agree_with_missing_values() -> None:
    rows = with_nulls(simulated())
    counts = signed_rating_cells(rows.table.cells).sum(axis=0)
    assert auroc_of_counts(counts) == pytest.approx(auroc_signed(rows.actual, rows.pred, rows.confidence))


def test_a_rating_off_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="rating 6"):
        signed_rating([1], [6])
