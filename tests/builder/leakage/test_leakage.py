"""Surface models against second implementations, and planted artefacts that they must find."""

import itertools

import numpy as np
import pytest
from sklearn.feature_extraction import DictVectorizer
from sklearn.metrics import f1_score
from sklearn.naive_bayes import ComplementNB
from statsmodels.stats.contingency_tables import Table2x2

from builder.corpus_file import read_corpus
from builder.leakage.features import (
    content_words,
    first_words,
    form,
    function_words,
    length,
    punctuation,
    template,
    words,
)
from builder.leakage.measure import TooFewRequestsError, f1_by_class, measure_leakage
from builder.leakage.naive_bayes import fit_naive_bayes
from builder.leakage.telling_words import log_odds_z, telling_words
from schemas.records import Request
from schemas.vocabulary import HarmLevel
from tests.builder.corpus_rules.sample import request

NOUNS = ("cake", "tree", "river", "mouse", "violin", "planet", "carpet", "window", "teapot", "garden")
TEXTS = [f"{first} {second} {first} and more" for first, second in itertools.permutations(NOUNS, 2)]


def corpus(wording: dict[HarmLevel, str], per_level: int = 12) -> tuple[Request, ...]:
    """Requests whose level shows in nothing but the frame a noun is put into."""
    return tuple(
        request(frame.format(NOUNS[number % 10], NOUNS[number * 3 % 10]), number=number, level=level)
        for level, frame in wording.items()
        for number in range(per_level)
    )


def scores(requests: tuple[Request, ...]) -> dict[str, float]:
    """Macro-F1 by surface model."""
    return {score.model: score.macro_f1 for score in measure_leakage(requests).scores}


def test_a_level_always_phrased_as_a_question_is_found_by_its_form() -> None:
    wording = {HarmLevel.EDUCATIONAL: "the {} or the {} then?", HarmLevel.EDGY: "the {} or the {} then."}
    found = scores(corpus(wording))
    assert found["form"] == 1.0
    assert found["words"] < 0.8


def test_a_level_that_is_always_longer_is_found_by_its_length() -> None:
    wording = {HarmLevel.EDUCATIONAL: "one {} {} here", HarmLevel.EDGY: "one {} {} here" + " here" * 12}
    found = scores(corpus(wording))
    assert found["length"] == 1.0
    assert found["words"] < 0.8


def test_a_give_away_word_is_found_and_named() -> None:
    wording = {HarmLevel.EDUCATIONAL: "one {} {} please", HarmLevel.PLAINLY_HARMFUL: "one {} {} zoggle"}
    leakage = measure_leakage(corpus(wording))
    assert {score.model: score.macro_f1 for score in leakage.scores}["words"] == 1.0
    assert leakage.words[0][:6] == (HarmLevel.EDUCATIONAL, "please", 12, 12, 0, 12)
    assert next(item.word for item in leakage.words if item.level == HarmLevel.PLAINLY_HARMFUL) == "zoggle"


def test_where_nothing_leaks_the_score_is_that_of_guessing() -> None:
    wording = dict.fromkeys(HarmLevel, "how about one {} and one {} today")
    found = {score.model: score for score in measure_leakage(corpus(wording, per_level=20)).scores}
    for name in ("length", "form", "template", "function words", "first two words", "punctuation"):
        score = found[name]
        assert score.macro_f1 <= 0.35
        assert score.permuted[0] <= score.macro_f1 <= score.permuted[1] + 0.1
        assert score.chance == pytest.approx(0.2)
        assert (score.n_texts, score.n_requests) == (100, 100)


def test_what_each_model_sees_is_what_its_name_says() -> None:
    wording = {HarmLevel.EDUCATIONAL: "is the {} near the {} now", HarmLevel.EDGY: "the {} is now near the {}"}
    found = scores(corpus(wording))
    assert (found["template"], found["first two words"]) == (1.0, 1.0)
    assert max(found["function words"], found["punctuation"], found["length"]) < 0.8
    marked = scores(corpus({HarmLevel.EDUCATIONAL: "the {}, the {}", HarmLevel.EDGY: "the {}; the {}"}))
    assert marked["punctuation"] == 1.0
    assert max(value for name, value in marked.items() if name not in ("punctuation", "form")) < 0.8
    told = scores(corpus({HarmLevel.EDUCATIONAL: "a {} without a {}", HarmLevel.EDGY: "a {} beside a {}"}))
    assert (told["function words"], told["words"]) == (1.0, 1.0)
    assert told["content words"] < 0.8


def test_levels_dealt_out_anew_score_as_chance_does_and_what_leaks_lies_far_above() -> None:
    wording = {HarmLevel.EDUCATIONAL: "one {} {} please", HarmLevel.EDGY: "one {} {} zoggle"}
    leaking = measure_leakage(corpus(wording, per_level=20)).scores[0]
    assert leaking.macro_f1 == 1.0
    assert leaking.permuted[0] < 0.5 < leaking.permuted[1] < 0.9


def test_all_texts_of_a_request_are_held_out_together() -> None:
    noise = np.random.default_rng(3)
    requests = tuple(
        request(text := f"{a} {b}", [f"{text} {a}", f"{text} {b}"], number=number, level=HarmLevel(1 + number % 2))
        for number, (a, b) in enumerate(zip(*(noise.permutation(np.repeat(NOUNS, 4)) for _ in range(2)), strict=True))
    )
    # A model that saw a request's paraphrases would know its level; one that did not can only guess.
    assert scores(requests)["words"] < 0.75


def test_the_measure_is_the_same_each_time() -> None:
    requests = read_corpus().requests[:60]
    assert measure_leakage(requests) == measure_leakage(requests)


@pytest.mark.parametrize("levels", [[1, 1, 1], [1, 1, 2], []])
def test_a_level_that_cannot_be_held_out_is_an_error(levels: list[int]) -> None:
    few = [request("a b c", number=number, level=HarmLevel(level)) for number, level in enumerate(levels)]
    with pytest.raises(TooFewRequestsError, match="want two requests"):
        measure_leakage(few)


def test_naive_bayes_predicts_and_weighs_as_a_second_implementation_does() -> None:
    rng = np.random.default_rng(1)
    classes = rng.integers(0, 3, len(TEXTS))
    found = [
        words(text) + [f"class {label}"] * bool(rng.random() < 0.5) for text, label in zip(TEXTS, classes, strict=True)
    ]
    ours = fit_naive_bayes(found, classes, 3)
    vectorizer = DictVectorizer()
    rows = vectorizer.fit_transform([dict.fromkeys(names, 1) for names in found])
    theirs = ComplementNB().fit(rows, classes)
    assert list(ours.columns) == vectorizer.get_feature_names_out().tolist()
    np.testing.assert_allclose(ours.weights.T, theirs.feature_log_prob_)
    assert ours.predict(found).tolist() == theirs.predict(rows).tolist()


def test_several_problems_learnt_at_once_are_each_learnt_as_if_alone() -> None:
    rng = np.random.default_rng(4)
    classes = rng.integers(0, 3, (len(TEXTS), 5))
    found = [words(text) for text in TEXTS]
    together = fit_naive_bayes(found, classes, 3)
    for problem in range(5):
        alone = fit_naive_bayes(found, classes[:, problem], 3)
        np.testing.assert_allclose(together.weights[:, problem], alone.weights)
        assert together.predict(found)[:, problem].tolist() == alone.predict(found).tolist()


def test_a_feature_not_met_in_training_says_nothing() -> None:
    model = fit_naive_bayes([["a"], ["b"]], np.array([0, 1]), 2)
    assert model.predict([["a", "z"], ["z", "b"], ["z"]]).tolist() == [0, 1, 0]


def test_f1_by_class_equals_that_of_a_second_implementation() -> None:
    rng = np.random.default_rng(2)
    actual, predicted = rng.integers(0, 4, 200), rng.integers(0, 4, 200)
    confusion = np.zeros((5, 5))
    np.add.at(confusion, (actual, predicted), 1)
    expected = f1_score(actual, predicted, labels=range(5), average=None, zero_division=0)
    np.testing.assert_allclose(f1_by_class(confusion), expected)


@pytest.mark.parametrize("table", [(3, 50, 0, 250), (0, 50, 10, 250), (20, 50, 20, 100)])
def test_the_z_of_a_word_equals_that_of_a_second_implementation(table: tuple[int, int, int, int]) -> None:
    inside, n_inside, outside, n_outside = table
    cells = np.array([[inside, n_inside - inside], [outside, n_outside - outside]]) + 0.5
    theirs = Table2x2(cells, shift_zeros=False)
    assert log_odds_z(*table) == pytest.approx(theirs.log_oddsratio / theirs.log_oddsratio_se)


def test_a_request_counts_once_for_a_word_however_often_it_says_it() -> None:
    requests = (request("zoggle zoggle", ["zoggle it"]), request("nothing here", number=2, level=HarmLevel.EDGY))
    first = next(item for item in telling_words(requests) if item.word == "zoggle")
    assert (first.inside, first.n_inside, first.outside, first.n_outside) == (1, 1, 0, 1)


def test_form_and_length_read_no_content() -> None:
    assert form("Why is it so, please? Tell me.") == form("Why is it old, please? Show me.")
    assert length("abc def ghi") == length("xyz uvw rst")
    assert template("Why is it so, please? Tell me.") == template("Why is it so, please! Show me.")
    assert (
        function_words("Why does the cat sleep?") == function_words("Why does the dog eat?") == ["does", "the", "why"]
    )
    assert content_words("Why does the cat sleep?") == ["cat", "sleep"]
    assert template("the cat sleeps") == ["^ the", "^ the _", "_ $", "the _", "the _ $"]
    assert first_words("Why so? Really.") == ["why", "why so"]
    assert punctuation("Well, why? Why, then?") == [",2", "?2", "ends:?", "order:,?,?"]
    assert (punctuation("no marks"), first_words("")) == (["ends:", "order:"], ["", ""])
    assert "ends:open" in form("keywords typed in")
    assert form("") == ["opens:", "opens:", "ends:open", "sentences:0", "questions:0", "commas:0", "lower case"]
