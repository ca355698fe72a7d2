"""Character n-gram vectors of texts, counted in NumPy: no Python loop over characters."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

SIZES = (3, 4, 5)
_APOSTROPHES = re.compile("['’ʼ]")
_GAPS = re.compile(r"[\W_]+")
_MIX = np.uint64(0x9E3779B97F4A7C15)


class GramCounts(NamedTuple):
    """The distinct n-grams of `n_texts` texts, hashed, sorted by text, then hash, and how often each occurs in it."""

    texts: NDArray[np.int64]
    grams: NDArray[np.uint64]
    counts: NDArray[np.float64]
    n_texts: int


def normalise(text: str) -> str:
    """The text without case, punctuation, apostrophes and accents of width: words parted by single spaces."""
    plain = _APOSTROPHES.sub("", unicodedata.normalize("NFKC", text).casefold())
    return _GAPS.sub(" ", plain).strip()


def count_grams(normalised: Sequence[str]) -> GramCounts:
    """The character 3- to 5-grams of normalised texts, each text padded with one space at both ends.

    Grams are 64-bit hashes of code points: two of a million different grams meet with probability below 1e-7.
    """
    padded = [f" {text} " for text in normalised]
    codes = np.frombuffer("".join(padded).encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    owner = np.repeat(np.arange(len(padded)), [len(text) for text in padded])
    parts = [_of_size(codes, owner, size) for size in SIZES]
    texts = np.concatenate([part[0] for part in parts])
    grams = np.concatenate([part[1] for part in parts])
    order = np.lexsort((grams, texts))
    texts, grams = texts[order], grams[order]
    first = np.ones(len(texts), dtype=bool)
    first[1:] = (texts[1:] != texts[:-1]) | (grams[1:] != grams[:-1])
    starts = np.flatnonzero(first)
    counts = np.diff(np.append(starts, len(texts))).astype(np.float64)
    return GramCounts(texts[starts], grams[starts], counts, len(padded))


def vocabulary(counts: GramCounts) -> NDArray[np.uint64]:
    """The distinct n-grams, sorted."""
    return np.unique(counts.grams)


def unit_rows(counts: GramCounts, columns: NDArray[np.uint64]) -> csr_array:
    """One row a text, one column an n-gram of `columns`, scaled so that the text's *whole* vector has length 1.

    The product of two such matrices over the vocabulary of one of them is the cosine, also if the other side has
    n-grams outside it.
    """
    squares = np.bincount(counts.texts, weights=counts.counts**2, minlength=counts.n_texts)
    length = np.sqrt(np.where(squares > 0, squares, 1.0))
    place = np.searchsorted(columns, counts.grams)
    known = place < len(columns)
    known[known] = columns[place[known]] == counts.grams[known]
    rows = counts.texts[known]
    data = counts.counts[known] / length[rows]
    return csr_array((data, (rows, place[known])), shape=(counts.n_texts, len(columns)))


def _of_size(
    codes: NDArray[np.uint64], owner: NDArray[np.int64], size: int
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    ends = max(len(codes) - size + 1, 0)
    hashed = np.full(ends, size, dtype=np.uint64)
    for offset in range(size):
        hashed = (hashed ^ codes[offset : offset + ends]) * _MIX
        hashed ^= hashed >> np.uint64(29)
    inside = owner[:ends] == owner[size - 1 : size - 1 + ends]
    return owner[:ends][inside], hashed[inside]
