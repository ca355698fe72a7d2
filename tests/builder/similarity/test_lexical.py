"""Lexical similarity against hand-derived values, a second implementation and brute force."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from builder.corpus_file import read_corpus
from builder.corpus_rules.texts import texts_of
from builder.similarity.grams import count_grams, normalise
from builder.similarity.near import BLOCK, Limits, NearIndex, near_pairs, pair_similarity
from builder.similarity.weighted import rarity_cosines

TEXTS = [item.text for item in texts_of(read_corpus().requests)][:200]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("  Don’t SHOUT,  please!", "dont shout please"),
        ("snake_case and--dashes", "snake case and dashes"),
        ("ﬁne Straße", "fine strasse"),
        ("?!", ""),
    ],
)
def test_normalising_leaves_words_alone(text: str, plain: str) -> None:
    assert normalise(text) == plain


def test_cosine_and_jaccard_of_a_pair_by_hand() -> None:
    # " ab " has 3 grams, " abc " has 6 (three of 3 letters, two of 4, one of 5); " ab" alone is shared.
    cosine, jaccard = pair_similarity(["ab", "one two"], ["abc", "two three"])
    assert cosine[0] == pytest.approx(1 / math.sqrt(3 * 6))
    assert jaccard.tolist() == pytest.approx([0.0, 1 / 3])


def test_a_text_without_a_word_resembles_nothing() -> None:
    cosine, jaccard = pair_similarity(["?!"], ["?!"])
    assert (cosine.tolist(), jaccard.tolist()) == ([0.0], [0.0])


def test_cosines_equal_those_of_a_second_implementation() -> None:
    padded = [f" {normalise(text)} " for text in TEXTS]
    theirs = cosine_similarity(CountVectorizer(analyzer="char", ngram_range=(3, 5)).fit_transform(padded))
    ours, _ = pair_similarity(TEXTS, TEXTS[::-1])
    np.testing.assert_allclose(ours, theirs[np.arange(len(TEXTS)), np.arange(len(TEXTS))[::-1]], atol=1e-12)


def test_rarity_weighted_cosines_equal_those_of_a_second_implementation() -> None:
    padded = [f" {normalise(text)} " for text in TEXTS]
    rows = TfidfVectorizer(analyzer="char", ngram_range=(3, 5)).fit_transform(padded)
    np.testing.assert_allclose(rarity_cosines(TEXTS[:50], TEXTS[50:]), (rows[:50] @ rows[50:].T).toarray(), atol=1e-12)


def test_the_search_finds_what_comparing_every_pair_finds() -> None:
    limits = Limits(cosine=0.22, jaccard=0.16)
    found = {(pair.left, pair.right) for pair in near_pairs(TEXTS[:90], TEXTS[90:], limits)}
    expected = set()
    for row, text in enumerate(TEXTS[:90]):
        cosine, jaccard = pair_similarity([text] * len(TEXTS[90:]), TEXTS[90:])
        near = (cosine >= limits.cosine) | (jaccard >= limits.jaccard)
        expected |= {(row, int(column)) for column in np.flatnonzero(near)}
    assert found == expected
    assert expected


def test_positions_are_kept_across_blocks() -> None:
    far = [f"filler number {number} of many" for number in range(BLOCK + 5)]
    far[BLOCK + 3] = TEXTS[0]
    assert [(pair.left, pair.right) for pair in near_pairs(far, TEXTS[:3], Limits())] == [(BLOCK + 3, 0)]


def test_no_right_text_means_no_pair() -> None:
    assert list(near_pairs(TEXTS, [], Limits())) == []


def test_the_best_values_of_a_block_are_those_of_its_nearest_text() -> None:
    found = NearIndex(TEXTS[:20]).compare([TEXTS[3], "zzz qqq"], Limits())
    assert found.best_cosine.tolist() == pytest.approx([1.0, 0.0], abs=0.05)
    assert found.best_jaccard.tolist() == pytest.approx([1.0, 0.0])


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40), st.text(max_size=40))
def test_similarity_is_symmetric_and_between_zero_and_one(left: str, right: str) -> None:
    forth, back = pair_similarity([left], [right]), pair_similarity([right], [left])
    assert forth[0][0] == pytest.approx(back[0][0])
    assert forth[1][0] == back[1][0]
    assert 0 <= forth[0][0] <= 1 + 1e-9
    assert 0 <= forth[1][0] <= 1


def test_more_texts_than_can_be_numbered_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builder.similarity.grams.MAX_TEXTS", 2)
    with pytest.raises(ValueError, match="got 3 texts, want at most 2 at once"):
        count_grams(["one", "two", "three"])
