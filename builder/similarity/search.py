"""Near texts: among few by comparing every pair, among very many by comparing those that MinHash brings together."""

from collections.abc import Iterator, Sequence
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from builder.similarity.candidates import candidate_pairs
from builder.similarity.grams import normalise
from builder.similarity.near import Comparison, Limits, NearPair, near_pairs, pair_similarity

EVERY_PAIR = 10_000_000


def near_pairs_within(texts: Sequence[str], limits: Limits) -> Iterator[NearPair]:
    """Pairs of a text (`left`) and an earlier one (`right`) at or above one of the limits, by position.

    All of them if there are at most `EVERY_PAIR` pairs to compare; else those that `candidate_pairs` finds, which
    misses some right at the limits (docs/growing.md says how many) and none that are much alike.
    """
    if len(texts) ** 2 <= EVERY_PAIR:
        yield from (pair for pair in near_pairs(texts, texts, limits) if pair.left > pair.right)
    else:
        plain = [normalise(text) for text in texts]
        yield from _near(_compared(plain, candidate_pairs(plain)[:, ::-1]), limits)


def near_pairs_between(left: Sequence[str], right: Sequence[str], limits: Limits) -> Iterator[NearPair]:
    """Pairs of a left and a right text at or above one of the limits, by position; complete as `near_pairs_within`."""
    if len(left) * len(right) <= EVERY_PAIR:
        yield from near_pairs(left, right, limits)
    else:
        yield from HashedIndex(right).compare(left, limits).pairs


class HashedIndex:
    """The same questions as to a `NearIndex`, answered for very many texts, of pairs that MinHash brings together."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Index the texts."""
        self.texts = [normalise(text) for text in texts]

    def compare(self, block: Sequence[str], limits: Limits) -> Comparison:
        """What of the index is near each text of the block; the best values are those of the pairs compared.

        Time grows with the sum of both sides: ask with blocks about as large as the index.
        """
        size = len(block)
        plain = [*map(normalise, block), *self.texts]
        compared = [pair._replace(right=pair.right - size) for pair in _compared(plain, candidate_pairs(plain, size))]
        best_cosine, best_jaccard = np.zeros(size), np.zeros(size)
        rows = np.array([pair.left for pair in compared], dtype=np.intp)
        np.maximum.at(best_cosine, rows, np.array([pair.cosine for pair in compared]))
        np.maximum.at(best_jaccard, rows, np.array([pair.jaccard for pair in compared]))
        return Comparison(tuple(_near(compared, limits)), best_cosine, best_jaccard)


def _compared(plain: Sequence[str], places: NDArray[np.int64]) -> list[NearPair]:
    lefts, rights = places[:, 0].tolist(), places[:, 1].tolist()
    cosines, jaccards = pair_similarity([plain[left] for left in lefts], [plain[right] for right in rights])
    return [NearPair(*found) for found in zip(lefts, rights, cosines.tolist(), jaccards.tolist(), strict=True)]


def _near(compared: Sequence[NearPair], limits: Limits) -> list[NearPair]:
    near = [pair for pair in compared if pair.cosine >= limits.cosine or pair.jaccard >= limits.jaccard]
    return sorted(near, key=itemgetter(0, 1))
