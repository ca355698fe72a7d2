"""Input without refusals, without rows, without variation: a reason instead of a number, and never a warning."""

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from analysis.intervals.agreement import Coefficient, agreement_estimate
from analysis.intervals.bootstrap import cluster_bca, cluster_bootstrap
from analysis.intervals.defaults import default_estimates
from analysis.intervals.paired import paired_bootstrap, paired_jackknife
from analysis.intervals.proportion import wilson_estimate
from analysis.metrics import accuracy, baselines, brier, routing
from analysis.metrics.adaptive_ece import ece_adaptive
from analysis.metrics.aurc import aurc
from analysis.metrics.calibration import MAPS, ece_levels, map_values
from analysis.metrics.ceiling import oracle_ceiling
from analysis.metrics.consistency import consistency, pair_agreement
from analysis.metrics.estimate import Estimate
from analysis.metrics.glmm import glmm_probit
from analysis.metrics.leave_one_out import loo_bins, loo_majority_accuracy
from analysis.metrics.meta_d import meta_d, meta_d_gate
from analysis.metrics.paired import cluster_sign_flip
from analysis.metrics.rating import auroc_signed, auroc_type2
from analysis.metrics.recalibration import recalibrated_ece
from analysis.metrics.sdt import d_prime, d_prime_se, sdt
from analysis.metrics.selective import selective
from analysis.metrics.smooth_ece import smooth_ece
from analysis.metrics.table import confidence_cells, outcome_cells, signed_rating_cells
from analysis.metrics.zroc import zroc

from .examples import DEGENERATE, Rows

every_case = pytest.mark.parametrize("rows", DEGENERATE.values(), ids=DEGENERATE.keys())


def is_plain(value: Any) -> bool:
    """Whether a result holds no NaN at any depth."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return all(is_plain(getattr(value, field.name)) for field in dataclasses.fields(value))
    if isinstance(value, tuple | list):
        return all(map(is_plain, value))
    if isinstance(value, np.ndarray):
        return bool(np.isfinite(value).all())
    return not isinstance(value, float) or not math.isnan(value)


@every_case
def test_default_estimates_are_numbers_inside_their_interval_or_a_reason(rows: Rows) -> None:
    for name, found in default_estimates(rows.table).items():
        assert is_plain(found), name
        if found.value is None:
            assert found.status.startswith("undefined"), name
            assert found.low is None, name
            assert found.high is None, name
        elif found.low is not None and found.high is not None:
            assert found.low <= found.value <= found.high, name
        else:
            assert found.status != "ok", name


ROW_STATISTICS: dict[str, Callable[[Rows], Any]] = {
    "ece": lambda r: [ece_levels(r.confidence, r.correct, mapping) for mapping in MAPS],
    "murphy": lambda r: brier.murphy(r.confidence / 5, r.correct),
    "log score": lambda r: brier.log_score(brier.refusal_forecast(r.pred, r.confidence / 5), r.actual),
    "adaptive": lambda r: ece_adaptive(r.confidence / 5, r.correct),
    "smooth": lambda r: smooth_ece(r.confidence / 5, r.correct),
    "aurc": lambda r: aurc(r.confidence, r.correct),
    "selective": lambda r: [selective(r.confidence, r.correct, t) for t in (5, 4, 3, 2, 1)],
    "auroc": lambda r: [auroc_signed(r.actual, r.pred, r.confidence), auroc_type2(r.correct, r.confidence)],
    "glmm": lambda r: glmm_probit(r.pred, r.actual, r.request),
    "meta-d'": lambda r: meta_d(*signed_rating_cells(r.table.cells).sum(axis=0)),
    "gate": lambda r: meta_d_gate(*signed_rating_cells(r.table.cells).sum(axis=0)),
    "zroc": lambda r: zroc(*signed_rating_cells(r.table.cells).sum(axis=0)),
    "leave one out": lambda r: [loo_majority_accuracy(r.actual, r.request), loo_bins(r.actual, r.request)],
    "sign flip": lambda r: cluster_sign_flip(r.correct - 1, r.request),
    "recalibration": lambda r: recalibrated_ece(confidence_cells(r.table.cells)),
    "guarantee": lambda r: routing.guaranteed_threshold(confidence_cells(r.table.cells), 0.1),
    "folds": lambda r: routing.folded_selection(confidence_cells(r.table.cells), 0.9),
    "cost": lambda r: routing.cost_curve(r.table.cells.sum(axis=0), 1, 5, 0.2),
    "wilson": lambda r: wilson_estimate(outcome_cells(r.table.cells)[:, [1, 0]]),
}


@every_case
@pytest.mark.parametrize("statistic", ROW_STATISTICS.values(), ids=ROW_STATISTICS.keys())
def test_statistics_of_rows_return_no_nan_and_do_not_raise(statistic: Callable[[Rows], Any], rows: Rows) -> None:
    assert is_plain(statistic(rows))


@every_case
def test_statistics_of_rates_return_no_nan_and_do_not_raise(rows: Rows) -> None:
    counts = outcome_cells(rows.table.cells)
    refusals, outcomes = counts[:, :2].sum(axis=1), counts.sum(axis=1)
    found = [oracle_ceiling(refusals, outcomes), consistency(refusals, outcomes), pair_agreement(refusals, outcomes)]
    hit, miss, fa, cr = map(int, counts.sum(axis=0))
    assert is_plain([*found, sdt(hit, miss, fa, cr), sdt(hit, miss, fa, cr, "half_n"), d_prime_se(hit, miss, fa, cr)])


@every_case
def test_bootstrap_and_paired_intervals_return_a_number_or_a_reason(rows: Rows) -> None:
    counts = outcome_cells(rows.table.cells)
    for statistic in (accuracy.accuracy, accuracy.mcc, d_prime):
        found = [
            cluster_bootstrap(counts, statistic, np.random.default_rng(0), 200),
            cluster_bca(counts, statistic, np.random.default_rng(0), 200),
            paired_bootstrap(counts, counts, statistic, np.random.default_rng(0), 200),
            paired_jackknife(counts, counts, statistic),
        ]
        assert is_plain(found)
        assert all(one.value is not None or one.status.startswith("undefined") for one in found)


@every_case
def test_baselines_predict_or_abstain(rows: Rows) -> None:
    texts = ["how to do it" if outcome == 1 else "what is it" for outcome in rows.actual]
    predictions = [
        baselines.majority_predictions(rows.actual, rows.request),
        baselines.threshold_predictions(rows.confidence, rows.actual, rows.request),
        baselines.table_predictions(rows.request % 4, rows.actual, rows.request),
        baselines.text_predictions(texts, rows.actual, rows.request),
    ]
    for predicted in predictions:
        assert predicted.shape == rows.actual.shape
        assert np.isin(predicted[~np.isnan(predicted)], (0, 1)).all()


RATINGS: dict[str, Any] = {
    "no items": np.zeros((0, 2)),
    "one rater": [[1.0], [2.0], [1.0]],
    "one item": [[1.0, 2.0]],
    "constant": [[1.0, 1.0]] * 30,
    "nothing rated": [[np.nan, np.nan]] * 30,
    "never two": [[1.0, np.nan], [np.nan, 2.0]] * 15,
    "opposite": [[0.0, 1.0], [1.0, 0.0]] * 15,
}


@pytest.mark.parametrize("coefficient", ["raw", "gwet", "krippendorff", "cohen"])
@pytest.mark.parametrize("ratings", RATINGS.values(), ids=RATINGS.keys())
def test_agreement_returns_a_number_or_a_reason(ratings: Any, coefficient: Coefficient) -> None:
    found = agreement_estimate(ratings, np.arange(len(ratings)), coefficient)
    assert isinstance(found, Estimate)
    assert is_plain(found)
    assert found.value is not None or found.status.startswith("undefined")


def test_unknown_map_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="k/7"):
        map_values("k/7")  # type: ignore[arg-type]
