"""Rates and detection corrected for an imperfect judge: by hand, by simulation, and where nothing can be said."""

import numpy as np
import pytest
from scipy.stats import beta

from analysis.metrics.double_sampling import corrected_detection, double_sampling, posterior_mean
from analysis.metrics.estimate import Estimate
from analysis.metrics.judge import judge_accuracy, release_gate
from analysis.metrics.ppi import optimal_tuning, ppi_cross_fitted, ppi_mean
from analysis.metrics.rogan_gladen import rogan_gladen, rogan_gladen_interval
from analysis.metrics.sdt import sdt


def test_rogan_gladen_inverts_what_the_judge_does() -> None:
    for rate in (0.0, 0.08, 0.5, 1.0):
        observed = rate * 0.9 + (1 - rate) * 0.05
        assert rogan_gladen(observed, 0.9, 0.95).value == pytest.approx(rate)


def test_rogan_gladen_clips_with_a_flag_and_needs_an_informative_judge() -> None:
    assert rogan_gladen(0.01, 0.9, 0.95) == (0.0, "clipped")
    assert rogan_gladen(0.3, 0.4, 0.6) == (None, "undefined_uninformative_judge")
    assert rogan_gladen_interval(30, 100, 1, 50, 1, 50) == (None, None)
    assert rogan_gladen_interval(0, 0, 9, 10, 9, 10) == (None, None)


def test_lang_reiczigel_covers_the_rate() -> None:
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(1000):
        x = rng.binomial(900, 0.3 * 0.92 + 0.7 * 0.03)
        low, high = rogan_gladen_interval(x, 900, rng.binomial(100, 0.92), 100, rng.binomial(200, 0.97), 200)
        assert low is not None
        assert high is not None
        covered += low <= 0.3 <= high
    assert 0.935 <= covered / 1000 <= 0.985


def test_lang_reiczigel_by_hand() -> None:
    """z² = 3.8415, p = .4141, Se = 93/102, Sp = 98/102; rate .4300, shift 2z²(.43·.000774 − .57·.000363) = .00097."""
    p, se, sp = (372 + 1.920729) / 903.841459, 93 / 102, 98 / 102
    rate = (p + sp - 1) / (se + sp - 1)
    var_se, var_sp = se * (1 - se) / 102, sp * (1 - sp) / 102
    spread = np.sqrt(p * (1 - p) / 903.841459 + rate**2 * var_se + (1 - rate) ** 2 * var_sp) / (se + sp - 1)
    low, high = rogan_gladen_interval(372, 900, 92, 100, 97, 100)
    assert low is not None
    assert high is not None
    assert (low + high) / 2 == pytest.approx(rate + 2 * 3.841459 * (rate * var_se - (1 - rate) * var_sp), abs=1e-6)
    assert (high - low) / 2 == pytest.approx(1.959964 * spread, abs=1e-6)


def test_tuned_ppi_has_the_least_variance() -> None:
    """With equal spread of the judge on both parts, no other λ gives a narrower interval."""
    rng = np.random.default_rng(4)
    human = (rng.random(300) < 0.4).astype(float)
    judged = np.where(rng.random(300) < 0.85, human, 1 - human)
    rest = np.tile(judged, 2)
    best = optimal_tuning(human, judged, rest)

    def width(tuning: float) -> float:
        found = ppi_mean(human, judged, rest, tuning)
        return float(found.high or 0) - float(found.low or 0)

    assert width(best) <= min(width(best + step) for step in (-0.1, -0.03, 0.03, 0.1))


def test_ppi_with_a_perfect_judge_is_the_mean_of_all_rows() -> None:
    rng = np.random.default_rng(0)
    labelled, rest = rng.integers(0, 2, 50), rng.integers(0, 2, 500)
    assert ppi_mean(labelled, labelled, rest).value == pytest.approx(rest.mean())


def test_ppi_without_the_judge_is_the_human_mean() -> None:
    human, judged, rest = np.array([0, 1, 1, 0]), np.array([1, 1, 0, 0]), np.array([1, 1, 1])
    assert ppi_mean(human, judged, rest, 0.0).value == 0.5
    assert optimal_tuning(human, np.ones(4), np.ones(3)) == 0


def test_ppi_by_hand() -> None:
    """mean(Ŷ_u) = .75, mean(Y − Ŷ) = −.25: .5; variance .1875/4 + .1875/4."""
    found = ppi_mean([1, 0, 1, 0], [1, 1, 1, 0], [1, 1, 1, 0])
    assert found.value == pytest.approx(0.5)
    assert found.high == pytest.approx(0.5 + 1.959964 * np.sqrt(0.09375), abs=1e-6)


def test_cross_fitted_ppi_is_nearly_unbiased() -> None:
    rng = np.random.default_rng(0)
    values = []
    for _ in range(400):
        truth = rng.random(900) < 0.26
        judged = np.where(truth, rng.random(900) < 0.92, rng.random(900) < 0.03).astype(float)
        values.append(ppi_cross_fitted(truth[:100], judged[:100], judged[100:]).value)
    assert np.mean(np.array(values, dtype=float)) == pytest.approx(0.26, abs=0.005)


def test_double_sampling_by_hand() -> None:
    """.7778·2/50 + .2222·46/50 = .23556; Jeffreys mean .7778·2.5/51 + .2222·46.5/51."""
    assert double_sampling([700, 200], [50, 50], [2, 46]).value == pytest.approx(7 / 9 * 0.04 + 2 / 9 * 0.92)
    assert posterior_mean([700, 200], [50, 50], [2, 46]) == pytest.approx(7 / 9 * 2.5 / 51 + 2 / 9 * 46.5 / 51)


def test_double_sampling_interval_is_that_of_many_draws() -> None:
    rng = np.random.default_rng(0)
    weight = rng.dirichlet([700.5, 200.5], 400_000)
    theta = rng.beta([2.5, 46.5], [48.5, 4.5], (400_000, 2))
    found = double_sampling([700, 200], [50, 50], [2, 46])
    assert (found.low, found.high) == pytest.approx(np.quantile((weight * theta).sum(axis=1), (0.025, 0.975)), abs=5e-4)


def test_one_stratum_is_jeffreys_interval() -> None:
    found = double_sampling([300], [60], [12])
    assert (found.low, found.high) == pytest.approx(beta.ppf((0.025, 0.975), 12.5, 48.5), abs=5e-4)


def test_a_stratum_nobody_audited_leaves_the_rate_undefined() -> None:
    assert double_sampling([700, 200], [50, 0], [2, 0]).status == "undefined_unaudited_stratum"
    assert double_sampling([700, 0], [50, 0], [2, 0]).value == pytest.approx(0.04)
    assert double_sampling([0], [0], [0]).status == "undefined_empty"
    with pytest.raises(ValueError, match="audited"):
        double_sampling([10], [20], [1])


def test_a_full_audit_gives_the_true_table() -> None:
    found = corrected_detection([[500, 100], [50, 250]], [[500, 100], [50, 250]], [[5, 20], [40, 240]])
    assert found.outcomes == pytest.approx((260, 45, 90, 505))
    assert found.d_prime.value == pytest.approx(sdt(260, 45, 90, 505).d_prime)
    assert found.criterion.value == pytest.approx(sdt(260, 45, 90, 505).criterion)
    assert found.accuracy.value == pytest.approx(765 / 900)


def test_corrected_detection_covers_the_truth() -> None:
    rng = np.random.default_rng(0)
    covered = np.zeros(3)
    for _ in range(40):
        y = (rng.random(900) < 0.3).astype(int)
        pred = (2.0 * (y - 0.5) + rng.standard_normal(900) > 0).astype(int)
        judge = np.where(y == 1, rng.random(900) < 0.92, rng.random(900) < 0.05).astype(int)
        sizes = np.array([[((judge == j) & (pred == p)).sum() for p in (0, 1)] for j in (0, 1)])
        audited = np.minimum(sizes, 60)
        positives = np.array(
            [[y[np.flatnonzero((judge == j) & (pred == p))[: audited[j, p]]].sum() for p in (0, 1)] for j in (0, 1)]
        )
        found = corrected_detection(sizes, audited, positives)
        for place, (one, truth) in enumerate(((found.accuracy, 0.8413), (found.d_prime, 2.0), (found.criterion, 0.0))):
            covered[place] += one.low is not None and one.high is not None and one.low <= truth <= one.high
    assert covered.sum() / 120 > 0.87


def test_corrected_detection_wants_judge_by_prediction() -> None:
    with pytest.raises(ValueError, match="judge × prediction"):
        corrected_detection([1, 2], [1, 2], [0, 1])
    assert corrected_detection([[9, 0], [0, 9]], [[0, 0], [0, 5]], [[0, 0], [0, 5]]).accuracy.value is None


def test_judge_accuracy_by_hand() -> None:
    found = judge_accuracy(90, 10, 5, 95)
    assert found.sensitivity.value == 0.9
    assert found.specificity.value == 0.95
    assert found.ppv.value == pytest.approx(90 / 95)
    assert found.npv.value == pytest.approx(95 / 105)
    assert judge_accuracy(0, 0, 1, 9).sensitivity.value is None


def test_the_release_gate_names_what_is_missing() -> None:
    sure = Estimate(0.95, 0.9, 0.98, 400, 400, "ok", "")
    assert release_gate(judge_accuracy(195, 5, 4, 196), sure, 400) == ()
    reasons = release_gate(judge_accuracy(9, 1, 0, 0), Estimate(0.9, None, None, 10, 10, "too_few_requests", ""), 10)
    assert len(reasons) == 4
    assert reasons[0].startswith("10 human items")
