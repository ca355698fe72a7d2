"""Agreement coefficients against krippendorff, scikit-learn and statsmodels, by hand, and with missing ratings."""

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from analysis.intervals.agreement import Coefficient, agreement_estimate
from analysis.metrics.agreement import Weights, rating_counts, raw_agreement, weight_matrix
from analysis.metrics.arrays import Floats
from analysis.metrics.cohen import cohen_kappa
from analysis.metrics.fleiss import fleiss_kappa
from analysis.metrics.gwet import gwet_agreement
from analysis.metrics.krippendorff import Level, krippendorff_alpha

pairs = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=2, max_size=50)


def ratings(n_items: int = 80, n_raters: int = 4, missing: float = 0.2, seed: int = 0) -> Floats:
    """Noisy ratings 1..4 of a hidden truth, some missing."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 5, size=n_items)
    noise = rng.integers(-1, 2, size=(n_items, n_raters)) * (rng.random((n_items, n_raters)) < 0.4)
    values = np.clip(truth[:, None] + noise, 1, 4).astype(float)
    return np.where(rng.random(values.shape) < missing, np.nan, values)


@given(pairs, st.sampled_from([("identity", None), ("linear", "linear"), ("quadratic", "quadratic")]))
def test_cohen_is_that_of_scikit_learn(rows: list[tuple[int, int]], weights: tuple[Weights, str | None]) -> None:
    first, second = np.array(rows).T
    found = cohen_kappa(first, second, weights[0])
    if found is None:
        assert len(set(first) | set(second)) == 1
        return
    labels = np.unique(np.concatenate([first, second]))
    if weights[0] != "identity":
        labels = np.arange(labels.min(), labels.max() + 1)
    assert found == pytest.approx(cohen_kappa_score(first, second, labels=labels, weights=weights[1]), abs=1e-12)


def test_two_raters_who_agree_on_one_category_have_no_kappa_but_full_raw_agreement() -> None:
    assert cohen_kappa([1, 1, 1], [1, 1, 1]) is None
    assert raw_agreement([[1, 1]] * 3) == 1


def test_the_prevalence_paradox() -> None:
    """90 of 100 agree, all on one category: κ = −.0526, AC1 = .8895."""
    data = [[1, 1]] * 90 + [[1, 2]] * 5 + [[2, 1]] * 5
    assert cohen_kappa(*np.array(data).T) == pytest.approx(-0.052632, abs=1e-6)
    assert gwet_agreement(data).coefficient == pytest.approx(0.889503, abs=1e-6)
    assert raw_agreement(data) == pytest.approx(0.9)


def test_fleiss_is_that_of_statsmodels() -> None:
    counts = rating_counts(ratings(missing=0))
    assert fleiss_kappa(counts) == pytest.approx(inter_rater.fleiss_kappa(counts, method="fleiss"))


def test_fleiss_refuses_unequal_raters_and_is_undefined_without_variation() -> None:
    with pytest.raises(ValueError, match="equally many"):
        fleiss_kappa([[2, 1], [1, 1]])
    assert fleiss_kappa([[3, 0], [3, 0]]) is None
    assert fleiss_kappa([[1, 0], [0, 1]]) is None
    assert fleiss_kappa([]) is None


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("seed", range(5))
def test_alpha_is_that_of_the_krippendorff_package(level: Level, seed: int) -> None:
    data = ratings(missing=0.3, seed=seed)
    oracle = krippendorff.alpha(reliability_data=data.T, level_of_measurement=level)
    assert krippendorff_alpha(data, level) == pytest.approx(oracle, abs=1e-9)


def test_alpha_is_undefined_for_one_rater_and_without_variation() -> None:
    assert krippendorff_alpha([[1], [2], [3]]) is None
    assert krippendorff_alpha([[1, 1], [1, 1]]) is None


def test_ac1_by_hand() -> None:
    """pa = 3/4; shares ⅝, ⅜: pe = 2/(2·1) Σ π(1 − π)... = .46875; AC1 = (.75 − .46875)/.53125."""
    found = gwet_agreement([[0, 0], [0, 0], [1, 1], [0, 1]])
    assert found.observed == 0.75
    assert found.chance == pytest.approx(0.46875)
    assert found.coefficient == pytest.approx((0.75 - 0.46875) / 0.53125)


def test_unused_categories_lower_chance_agreement() -> None:
    data = ratings()
    few, many = gwet_agreement(data).chance, gwet_agreement(data, categories=(1, 2, 3, 4, 5, 6)).chance
    assert few is not None
    assert many is not None
    assert many < few
    with pytest.raises(ValueError, match="rating 4"):
        gwet_agreement(data, categories=(1, 2, 3))


def test_gwet_is_undefined_for_one_rater_or_one_category() -> None:
    assert gwet_agreement([[1], [2]]).status == "undefined_single_rater"
    assert gwet_agreement([[1, 1], [1, 1]]).status == "undefined_one_category"
    assert gwet_agreement([[1, 1], [1, 1]], categories=(1, 2)).coefficient == 1


def test_ordinal_weights_by_hand() -> None:
    """C(|i−j|+1, 2) = 0, 1, 3, 6 of a largest 6."""
    assert weight_matrix([1, 2, 3, 4], "ordinal")[0] == pytest.approx([1, 1 - 1 / 6, 0.5, 0])


@pytest.mark.parametrize("coefficient", ["raw", "gwet", "krippendorff", "cohen"])
def test_estimates_have_the_value_of_the_plain_coefficient(coefficient: Coefficient) -> None:
    data = ratings()
    plain = {
        "raw": raw_agreement(data),
        "gwet": gwet_agreement(data).coefficient,
        "krippendorff": krippendorff_alpha(data),
        "cohen": cohen_kappa(data[:, 0], data[:, 1]),
    }[coefficient]
    found = agreement_estimate(data, np.arange(80), coefficient)
    assert found.value == pytest.approx(plain)
    assert found.low is not None
    assert found.high is not None
    assert found.value is not None
    assert found.low < found.value < found.high


def test_ac1_interval_over_single_items_is_that_of_the_standard_error() -> None:
    data = ratings(n_items=400, missing=0)
    se, found = gwet_agreement(data).se, agreement_estimate(data, np.arange(400), "gwet")
    assert found.low is not None
    assert found.high is not None
    assert se is not None
    assert (found.high - found.low) / 2 == pytest.approx(1.966 * se, rel=0.02)


def test_ac1_standard_error_is_that_of_leaving_items_out_when_margins_are_skewed() -> None:
    rng = np.random.default_rng(0)
    truth = (rng.random(500) < 0.35).astype(float)
    data = np.where(rng.random((500, 2)) < 0.8, truth[:, None], 1 - truth[:, None])
    data[:50, 1] = np.nan
    values = [gwet_agreement(np.delete(data, row, axis=0)).coefficient for row in range(500)]
    jackknife = np.sqrt(499 * np.var(np.array(values, dtype=float)))
    assert gwet_agreement(data).se == pytest.approx(jackknife, rel=0.02)


def test_copies_of_an_item_in_one_request_do_not_narrow_the_interval() -> None:
    data = ratings(n_items=60, missing=0)
    once = agreement_estimate(data, np.arange(60), "gwet")
    thrice = agreement_estimate(np.repeat(data, 3, axis=0), np.repeat(np.arange(60), 3), "gwet")
    assert (thrice.low, thrice.high) == pytest.approx((once.low, once.high))
