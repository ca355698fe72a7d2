"""Exact search for lexically near texts: every pair is compared, block by block, as sparse products."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from builder.similarity.grams import count_grams, normalise, unit_rows, vocabulary
from builder.similarity.words import index_words, word_rows, word_set_sizes

BLOCK = 2000
MAX_CELLS = 20_000_000
PAIRS_AT_ONCE = 20_000


class Limits(NamedTuple):
    """From where on two texts count as near: cosine of character 3- to 5-grams, or Jaccard of word sets."""

    cosine: float = 0.6
    jaccard: float = 0.7


NEAR = Limits()


class NearPair(NamedTuple):
    """Positions of two near texts and how near they are."""

    left: int
    right: int
    cosine: float
    jaccard: float


class Comparison(NamedTuple):
    """The near pairs of a block of texts and, for each of its texts, the highest values met with any other text."""

    pairs: tuple[NearPair, ...]
    best_cosine: NDArray[np.float64]
    best_jaccard: NDArray[np.float64]


class NearIndex:
    """Texts turned once into the sparse matrices that blocks of other texts are multiplied with.

    Nothing is sampled or hashed away, so recall is 1. Time grows with the product of both sides, memory with the
    indexed side alone: index the shorter list.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        """Index at least one text."""
        self.texts = [normalise(text) for text in texts]
        counts = count_grams(self.texts)
        self.grams = vocabulary(counts)
        self.words = index_words(self.texts)
        self.by_gram = csr_array(unit_rows(counts, self.grams).T)
        self.by_word = csr_array(word_rows(self.texts, self.words).T)
        self.sizes = word_set_sizes(self.texts)

    def compare(self, block: Sequence[str], limits: Limits) -> Comparison:
        """What of the index is at or above one of the limits, for each text of the block. Limits are above 0."""
        texts = [normalise(text) for text in block]
        cosine = coo_array(unit_rows(count_grams(texts), self.grams) @ self.by_gram)
        jaccard = coo_array(word_rows(texts, self.words) @ self.by_word)
        union = word_set_sizes(texts)[jaccard.row] + self.sizes[jaccard.col] - jaccard.data
        jaccard.data = jaccard.data / union
        return Comparison(self._pairs(texts, cosine, jaccard, limits), _row_maxima(cosine), _row_maxima(jaccard))

    def _pairs(
        self, texts: Sequence[str], cosine: coo_array, jaccard: coo_array, limits: Limits
    ) -> tuple[NearPair, ...]:
        by_grams, by_words = cosine.data >= limits.cosine, jaccard.data >= limits.jaccard
        rows = np.concatenate([cosine.row[by_grams], jaccard.row[by_words]]).tolist()
        columns = np.concatenate([cosine.col[by_grams], jaccard.col[by_words]]).tolist()
        places = sorted(set(zip(rows, columns, strict=True)))
        cosines, jaccards = pair_similarity([texts[row] for row, _ in places], [self.texts[col] for _, col in places])
        found = zip(places, cosines, jaccards, strict=True)
        return tuple(NearPair(row, column, float(c), float(j)) for (row, column), c, j in found)


def near_pairs(left: Sequence[str], right: Sequence[str], limits: Limits) -> Iterator[NearPair]:
    """Every pair of a left and a right text at or above one of the limits, by left, then right position."""
    if not right:
        return
    index = NearIndex(right)
    size = max(1, min(BLOCK, MAX_CELLS // len(right)))
    for start in range(0, len(left), size):
        for pair in index.compare(left[start : start + size], limits).pairs:
            yield pair._replace(left=start + pair.left)


def pair_similarity(left: Sequence[str], right: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Cosine and Jaccard of the texts at the same position of two equally long lists."""
    starts = range(0, len(left), PAIRS_AT_ONCE)
    parts = [_of_pairs(left[start : start + PAIRS_AT_ONCE], right[start : start + PAIRS_AT_ONCE]) for start in starts]
    cosines, jaccards = ([part[side] for part in parts] for side in (0, 1))
    return np.concatenate([np.zeros(0), *cosines]), np.concatenate([np.zeros(0), *jaccards])


def _of_pairs(left: Sequence[str], right: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    ours, theirs = [normalise(text) for text in left], [normalise(text) for text in right]
    counts = count_grams([*ours, *theirs])
    rows = unit_rows(counts, vocabulary(counts))
    cosine = np.asarray(rows[: len(ours)].multiply(rows[len(ours) :]).sum(axis=1)).ravel()
    return cosine, np.array([_jaccard(a, b) for a, b in zip(ours, theirs, strict=True)])


def _jaccard(left: str, right: str) -> float:
    a, b = set(left.split()), set(right.split())
    return len(a & b) / max(len(a | b), 1)


def _row_maxima(matrix: coo_array) -> NDArray[np.float64]:
    best = np.zeros(matrix.shape[0])
    np.maximum.at(best, matrix.row, matrix.data)
    return best
