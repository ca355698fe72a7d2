"""Simulated predictors have the truth they claim; power grows as the rule of thumb says."""

import numpy as np
import pytest

from analysis.intervals.proportion import cluster_proportion
from analysis.metrics.rating import auroc_type2
from analysis.metrics.sdt import sdt
from analysis.metrics.table import outcome_cells, request_table
from analysis.power import PairedDesign, difference_se, requests_needed, simulated_power
from analysis.simulate import KnownDetection, LatentHarm, Predictor, known_detection, latent_harm


@pytest.mark.parametrize(("sharing", "deff"), [(0.0, 1.0), (0.6, 1.48), (0.9, 1.99)])
def test_clustering_leaves_marginal_d_prime_and_criterion(sharing: float, deff: float) -> None:
    model = KnownDetection(60_000, 3, 0.4, 2.4, 0.18, 0.8 if sharing else 0.0, sharing)
    rows = known_detection(model, np.random.default_rng(0))
    outcomes = outcome_cells(request_table(rows.request, rows.actual, rows.pred).cells)
    hit, miss, fa, cr = outcomes.sum(axis=0)
    found = sdt(hit, miss, fa, cr)
    assert found.d_prime == pytest.approx(2.4, abs=0.03)
    assert found.criterion == pytest.approx(0.18, abs=0.015)
    assert rows.actual.mean() == pytest.approx(0.4, abs=0.01)
    right = cluster_proportion(np.stack([outcomes[:, 1] + outcomes[:, 2], outcomes[:, 0] + outcomes[:, 3]], axis=1))
    assert right.deff == pytest.approx(deff, abs=0.1)


def test_confidence_is_on_the_scale_and_tells_right_from_wrong() -> None:
    rows = known_detection(KnownDetection(2000, 3, 0.4, 2.0, 0.0), np.random.default_rng(0))
    assert set(rows.confidence) == {1, 2, 3, 4, 5}
    right = rows.actual == rows.pred
    assert rows.confidence[right].mean() > rows.confidence[~right].mean() + 0.5


def test_meta_noise_blunts_confidence_only() -> None:
    found = []
    for noise in (0.0, 2.0):
        rows = known_detection(KnownDetection(3000, 3, 0.4, 2.0, 0.0, meta_noise=noise), np.random.default_rng(0))
        found.append((np.mean(rows.actual == rows.pred), auroc_type2(rows.actual == rows.pred, rows.confidence)))
    assert found[0][0] == found[1][0]
    assert found[0][1] is not None
    assert found[1][1] is not None
    assert found[1][1] < found[0][1] - 0.05


@pytest.mark.parametrize("predictor", ["oracle", "constant_d_prime", "own_threshold"])
def test_no_predictor_of_latent_harm_beats_the_oracle(predictor: Predictor) -> None:
    """Nobody who sees only θ can; the constant predictor sees a noisy outcome and stays below at d' = 2.4."""
    found = latent_harm(LatentHarm(20_000, 3, predictor), np.random.default_rng(0))
    ceiling = np.maximum(found.theta, 1 - found.theta).mean()
    accuracy = np.mean(found.rows.actual == found.rows.pred)
    assert accuracy <= ceiling + 0.005
    if predictor == "oracle":
        assert accuracy == pytest.approx(ceiling, abs=0.005)


def test_a_perfect_observer_of_theta_scores_nothing_inside_the_middle_bins() -> None:
    found = latent_harm(LatentHarm(20_000, 3), np.random.default_rng(0))
    refused = np.repeat(found.rows.actual.reshape(-1, 3).sum(axis=1), 3)
    middle = refused == 1
    assert np.mean(found.rows.actual[middle] == found.rows.pred[middle]) < 0.7


def test_equal_models_are_told_apart_at_the_nominal_rate() -> None:
    power = simulated_power(PairedDesign(200, 3, 0.9, 0.0), np.random.default_rng(0), 400)
    assert power == pytest.approx(0.05, abs=0.03)


def test_power_of_the_default_design_is_that_of_the_specification() -> None:
    rng = np.random.default_rng(1)
    found = [simulated_power(PairedDesign(300, 3, 0.92, gain), rng, 300) for gain in (0.02, 0.03, 0.04)]
    assert found == pytest.approx([0.24, 0.54, 0.83], abs=0.08)


def test_requests_needed_by_hand() -> None:
    """(1.96 + .8416)² · .11 · 1.7 / .03² / 3 = 543.6."""
    assert requests_needed(0.03, 0.11, 1.7, 3) == 544
    assert difference_se(0.11, 1.7, 900) == pytest.approx(0.01441, abs=1e-5)
    with pytest.raises(ValueError, match="difference of 0"):
        requests_needed(0.0, 0.1, 1.5, 3)
