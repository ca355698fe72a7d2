"""Exact search for lexically near texts: every pair is compared, block by block, as sparse products."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from builder.similarity.grams import count_grams, normalise, unit_rows, vocabulary
from builder.similarity.words import index_words, word_rows, word_set_sizes

BLOCK = 2000


class Limits(NamedTuple):
    """From where on two texts count as near: cosine of character 3- to 5-grams, or Jaccard of word sets."""

    cosine: float = 0.6
    jaccard: float = 0.7


class NearPair(NamedTuple):
    """Positions of two near texts and how near they are."""

    left: int
    right: int
    cosine: float
    jaccard: float


class _Index:
    """The right-hand texts, turned once into the matrices each block is multiplied with."""

    def __init__(self, texts: Sequence[str]) -> None:
        counts = count_grams(texts)
        self.grams = vocabulary(counts)
        self.words = index_words(texts)
        self.by_gram = csr_array(unit_rows(counts, self.grams).T)
        self.by_word = csr_array(word_rows(texts, self.words).T)
        self.sizes = word_set_sizes(texts)
        self.texts = texts


def near_pairs(left: Sequence[str], right: Sequence[str], limits: Limits) -> Iterator[NearPair]:
    """Every pair of a left and a right text at or above one of the limits, by left, then right position.

    Nothing is sampled or hashed away: recall is 1. Time grows with the product of both sides, memory with the right
    side alone, so the shorter list belongs there. Both limits must be above 0.
    """
    if not right:
        return
    index = _Index([normalise(text) for text in right])
    for start in range(0, len(left), BLOCK):
        block = [normalise(text) for text in left[start : start + BLOCK]]
        for pair in _near_in_block(block, index, limits):
            yield pair._replace(left=start + pair.left)


def pair_similarity(left: Sequence[str], right: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Cosine and Jaccard of the texts at the same position of two equally long lists."""
    ours, theirs = [normalise(text) for text in left], [normalise(text) for text in right]
    counts = count_grams([*ours, *theirs])
    rows = unit_rows(counts, vocabulary(counts))
    cosine = np.asarray(rows[: len(ours)].multiply(rows[len(ours) :]).sum(axis=1)).ravel()
    jaccard = np.array([_jaccard(a, b) for a, b in zip(ours, theirs, strict=True)])
    return cosine, jaccard


def _jaccard(left: str, right: str) -> float:
    a, b = set(left.split()), set(right.split())
    return len(a & b) / max(len(a | b), 1)


def _near_in_block(block: Sequence[str], index: _Index, limits: Limits) -> list[NearPair]:
    cosine = coo_array(unit_rows(count_grams(block), index.grams) @ index.by_gram)
    shared = coo_array(word_rows(block, index.words) @ index.by_word)
    union = word_set_sizes(block)[shared.row] + index.sizes[shared.col] - shared.data
    by_grams, by_words = cosine.data >= limits.cosine, shared.data >= limits.jaccard * union
    rows = np.concatenate([cosine.row[by_grams], shared.row[by_words]]).tolist()
    columns = np.concatenate([cosine.col[by_grams], shared.col[by_words]]).tolist()
    places = sorted(set(zip(rows, columns, strict=True)))
    cosines, jaccards = pair_similarity([block[row] for row, _ in places], [index.texts[col] for _, col in places])
    return [
        NearPair(row, column, float(c), float(j)) for (row, column), c, j in zip(places, cosines, jaccards, strict=True)
    ]
