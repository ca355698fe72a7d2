"""Which pairs of very many texts are worth comparing: those whose MinHash signatures agree in a whole band.

Every pair of a hundred thousand texts would be five thousand million comparisons; sorting the texts by one band of
their signatures after the other (Indyk & Motwani 1998, doi:10.1145/276698.276876) brings the near ones side by side.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from builder.similarity.minhash import Pieces, gram_pieces, signatures, word_pieces

CHUNK = 4000
THREADS = 2
NEIGHBOURS = 100
PAIRS_AT_ONCE = 100_000


class Family(NamedTuple):
    """Pieces, and the bands of their signatures.

    A pair of Jaccard similarity J meets with probability 1 − (1 − J^rows)^bands; of those that meet, it stays if more
    than `floor` of the first `looked_at` bytes agree.
    """

    pieces: Callable[[Sequence[str]], Pieces]
    rows: int
    bands: int
    looked_at: int
    floor: float


# Texts at the limit of n-gram cosine (.6) have J from .25 up in 6-grams, those at the limit of word Jaccard have .7.
FAMILIES = (Family(gram_pieces, 3, 120, 128, 0.16), Family(word_pieces, 5, 25, 125, 0.5))


def candidate_pairs(normalised: Sequence[str], first_right: int = 0) -> NDArray[np.int64]:
    """Pairs of positions (smaller, larger) of texts that may be near, sorted, each once.

    With `first_right` only pairs of a text before and one from there on. Time grows with the number of texts, memory by
    some 400 bytes a text, as long as few texts are alike: of more than 100 texts that share a band each is paired with
    the 100 before it alone.
    """
    found = [np.zeros(0, dtype=np.int64)]
    for family in FAMILIES:
        rows = _signatures(normalised, family)
        for band in range(family.bands):
            pairs = [_agreeing(rows, part, family) for part in _meeting(_keys(rows, band, family), first_right)]
            found = [np.unique(np.concatenate([*found, *(_numbered(part, len(rows)) for part in pairs)]))]
    return np.column_stack([found[0] // max(len(normalised), 1), found[0] % max(len(normalised), 1)])


def _signatures(normalised: Sequence[str], family: Family) -> NDArray[np.uint8]:
    chunks = [normalised[start : start + CHUNK] for start in range(0, len(normalised), CHUNK)]
    size = family.rows * family.bands
    rows = np.empty((len(normalised), size), dtype=np.uint8)

    def fill(number: int) -> None:
        rows[number * CHUNK : number * CHUNK + CHUNK] = signatures(family.pieces(chunks[number]), size)

    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(fill, range(len(chunks))))
    return rows


def _keys(rows: NDArray[np.uint8], band: int, family: Family) -> NDArray[np.uint64]:
    keys = np.zeros(len(rows), dtype=np.uint64)
    for column in range(band * family.rows, (band + 1) * family.rows):
        keys = (keys << np.uint64(8)) | rows[:, column]
    return keys


def _meeting(keys: NDArray[np.uint64], first_right: int) -> Iterator[NDArray[np.int64]]:
    """Pairs of positions with the same key, at most `NEIGHBOURS` apart among those that have it."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    places = np.arange(len(keys))
    for distance in range(1, NEIGHBOURS + 1):
        places = places[places + distance < len(keys)]
        places = places[ordered[places] == ordered[places + distance]]
        if not len(places):
            return
        left, right = order[places], order[places + distance]
        wanted = (left < first_right) & (right >= first_right) if first_right else np.ones(len(left), dtype=bool)
        pairs = np.column_stack([left[wanted], right[wanted]])
        yield from (pairs[start : start + PAIRS_AT_ONCE] for start in range(0, len(pairs), PAIRS_AT_ONCE))


def _agreeing(rows: NDArray[np.uint8], pairs: NDArray[np.int64], family: Family) -> NDArray[np.int64]:
    seen = rows[:, : family.looked_at]
    agreed = np.count_nonzero(seen[pairs[:, 0]] == seen[pairs[:, 1]], axis=1)
    return np.asarray(pairs[agreed > family.floor * family.looked_at])


def _numbered(pairs: NDArray[np.int64], n_texts: int) -> NDArray[np.int64]:
    return np.asarray(pairs[:, 0] * n_texts + pairs[:, 1])
