"""The search among very many texts: what it finds is what comparing every pair finds, and what its parts promise."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from builder.corpus_file import read_corpus
from builder.corpus_rules.paraphrase_bands import check_paraphrase_bands
from builder.corpus_rules.texts import texts_of
from builder.similarity import search
from builder.similarity.candidates import NEIGHBOURS, candidate_pairs
from builder.similarity.grams import normalise
from builder.similarity.meaning import MeaningLimits, check_meaning, embed_corpus
from builder.similarity.minhash import GRAM_SIZE, gram_pieces, signatures, word_pieces
from builder.similarity.near import NEAR, Limits, NearIndex, NearPair, near_pairs, pair_similarity

CORPUS = [item.text for item in texts_of(read_corpus().requests)]


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few the texts, they are searched as very many are."""
    monkeypatch.setattr(search, "EVERY_PAIR", 0)


def within(texts: Sequence[str], limits: Limits) -> list[NearPair]:
    """What comparing every pair finds."""
    return [pair for pair in near_pairs(texts, texts, limits) if pair.left > pair.right]


def copies(rng: random.Random, share: float) -> Iterator[str]:
    """Every corpus text with a share of its words replaced by others of the corpus."""
    words = [word for text in CORPUS for word in text.split()]
    for text in CORPUS:
        said = text.split()
        for place in rng.sample(range(len(said)), max(1, round(share * len(said)))):
            said[place] = rng.choice(words)
        yield " ".join(said)


@pytest.mark.usefixtures("hashed")
def test_on_the_bundled_corpus_it_finds_exactly_what_comparing_every_pair_finds() -> None:
    assert list(search.near_pairs_within(CORPUS, NEAR)) == within(CORPUS, NEAR)
    with_copies = [*CORPUS, *copies(random.Random(3), 0.15)]
    expected = within(with_copies, NEAR)
    assert len(expected) >= 900
    found = list(search.near_pairs_within(with_copies, NEAR))
    assert [pair[:2] for pair in found] == [pair[:2] for pair in expected]
    np.testing.assert_allclose(found, expected)


@pytest.mark.usefixtures("hashed")
def test_between_two_lists_it_finds_exactly_what_comparing_every_pair_finds() -> None:
    changed = list(copies(random.Random(4), 0.15))
    expected = list(near_pairs(changed, CORPUS, NEAR))
    found = list(search.near_pairs_between(changed, CORPUS, NEAR))
    assert [pair[:2] for pair in found] == [pair[:2] for pair in expected]
    assert len(expected) >= 890


@pytest.mark.parametrize(("share", "least"), [(0.2, 0.999), (0.3, 0.99), (0.4, 0.95)])
def test_of_planted_pairs_near_the_limits_it_misses_few(share: float, least: float) -> None:
    texts = [*CORPUS, *copies(random.Random(5), share)]
    expected = {pair[:2] for pair in within(texts, NEAR)}
    found = {tuple(pair) for pair in candidate_pairs([normalise(text) for text in texts])[:, ::-1].tolist()}
    assert len(expected) > 20
    assert len(expected & found) / len(expected) >= least


@pytest.mark.usefixtures("hashed")
def test_nothing_and_texts_without_a_word_are_searched_too() -> None:
    assert list(search.near_pairs_within([], NEAR)) == []
    assert list(search.near_pairs_within(["?!", "a", "!!"], NEAR)) == []
    assert list(search.near_pairs_between([], ["a"], NEAR)) == []
    assert list(search.near_pairs_between(["a"], [], NEAR)) == []


def test_many_equal_texts_cost_no_square() -> None:
    pairs = candidate_pairs(["one and the same text every time"] * 2000)
    assert len(pairs) == sum(min(place, NEIGHBOURS) for place in range(2000))


def test_an_index_of_very_many_answers_as_an_index_of_few() -> None:
    block = list(copies(random.Random(6), 0.1))[:50]
    few, many = NearIndex(CORPUS).compare(block, NEAR), search.HashedIndex(CORPUS).compare(block, NEAR)
    assert [pair[:2] for pair in many.pairs] == [pair[:2] for pair in few.pairs]
    near = few.best_cosine >= NEAR.cosine
    np.testing.assert_allclose(many.best_cosine[near], few.best_cosine[near])
    assert (many.best_cosine <= few.best_cosine + 1e-9).all()


def grams(text: str) -> set[str]:
    """The padded 6-grams of a text, one by one."""
    padded = f" {text} ".ljust(GRAM_SIZE)
    return {padded[start : start + GRAM_SIZE] for start in range(len(padded) - GRAM_SIZE + 1)}


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text("ab c", max_size=30).map(normalise), min_size=1, max_size=6))
def test_texts_have_as_many_different_pieces_as_one_counts_by_hand(texts: list[str]) -> None:
    for pieces, by_hand in ((gram_pieces(texts), grams), (word_pieces(texts), lambda text: set(text.split()) or {""})):
        ends = [*pieces.starts[1:], len(pieces.hashes)]
        found = [set(pieces.hashes[a:b].tolist()) for a, b in zip(pieces.starts, ends, strict=True)]
        assert [len(hashes) for hashes in found] == [len(by_hand(text)) for text in texts]
        for left, ours in zip(texts, found, strict=True):
            for right, theirs in zip(texts, found, strict=True):
                assert len(ours & theirs) == len(by_hand(left) & by_hand(right))


def test_signatures_agree_as_often_as_texts_share_pieces() -> None:
    plain, changed = ([normalise(text) for text in texts] for texts in (CORPUS, copies(random.Random(7), 0.3)))
    jaccard = np.array(
        [len(grams(a) & grams(b)) / len(grams(a) | grams(b)) for a, b in zip(plain, changed, strict=True)]
    )
    agreed = (signatures(gram_pieces(plain), 300) == signatures(gram_pieces(changed), 300)).mean(axis=1)
    expected = jaccard + (1 - jaccard) / 256
    error = (agreed - expected) / np.sqrt(expected * (1 - expected) / 300)
    assert abs(error.mean()) < 0.12
    assert 0.9 < error.std() < 1.1


def test_what_is_cut_into_blocks_is_as_if_it_was_not(monkeypatch: pytest.MonkeyPatch) -> None:
    requests = read_corpus().requests[:40]
    left, right = CORPUS[:100], CORPUS[100:200]
    whole = pair_similarity(left, right)
    corpus = embed_corpus(requests, letters)
    limits = MeaningLimits(drift=0.8, copy=0.9, duplicate=0.93)
    complaints = check_meaning(corpus, limits)
    assert {found.rule for found in complaints} >= {"paraphrase-copy", "near-duplicate-meaning"}
    monkeypatch.setattr("builder.similarity.near.PAIRS_AT_ONCE", 7)
    monkeypatch.setattr("builder.similarity.meaning.ROWS_AT_ONCE", 7)
    for part, expected in zip(pair_similarity(left, right), whole, strict=True):
        np.testing.assert_allclose(part, expected)
    assert check_meaning(corpus, limits) == complaints


def letters(texts: Sequence[str]) -> NDArray[np.float32]:
    """A toy embedding: how often each letter occurs."""
    rows = np.array([[1 + text.lower().count(chr(97 + place)) for place in range(26)] for text in texts])
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def test_a_list_that_slipped_is_found_in_every_block_of_a_large_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    requests = read_corpus().requests
    slipped = [replace(one, paraphrases=other.paraphrases) for one, other in pairwise(requests)]
    monkeypatch.setattr("builder.corpus_rules.paraphrase_bands.REQUESTS_AT_ONCE", 50)
    found = [
        complaint.item for complaint in check_paraphrase_bands(slipped) if complaint.rule == "paraphrase-misplaced"
    ]
    assert len({slipped_id.split("-")[0] for slipped_id in found}) >= 5
    assert list(check_paraphrase_bands(requests)) == []
