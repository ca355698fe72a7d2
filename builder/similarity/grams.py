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
_GRAM_BITS = np.uint64(44)
_GRAM_MASK = np.uint64((1 << 44) - 1)
MAX_TEXTS = 1 << 20


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

    Grams are 44-bit hashes of code points, so that text and gram fit one sortable number: among a million different
    grams fewer than one pair is expected to meet. Raises ValueError from 2²⁰ texts on.
    """
    if len(normalised) > MAX_TEXTS:
        raise ValueError(f"got {len(normalised)} texts, want at most {MAX_TEXTS} at once")
    padded = [f" {text} " for text in normalised]
    codes = np.frombuffer("".join(padded).encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    owner = np.repeat(np.arange(len(padded), dtype=np.uint64), [len(text) for text in padded])
    keys = np.sort(np.concatenate([_keys(codes, owner, size) for size in SIZES]))
    starts = (
        np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else np.zeros(0, dtype=np.intp)
    )
    counts = np.diff(np.append(starts, len(keys))).astype(np.float64)
    distinct = keys[starts]
    return GramCounts((distinct >> _GRAM_BITS).astype(np.int64), distinct & _GRAM_MASK, counts, len(padded))


def vocabulary(counts: GramCounts) -> NDArray[np.uint64]:
    """The distinct n-grams, sorted."""
    grams = np.sort(counts.grams)
    return grams[np.concatenate([[True], grams[1:] != grams[:-1]])] if len(grams) else grams


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


def _keys(codes: NDArray[np.uint64], owner: NDArray[np.uint64], size: int) -> NDArray[np.uint64]:
    """Text number and gram hash, in one number, of each n-gram that lies inside one text."""
    ends = max(len(codes) - size + 1, 0)
    hashed = np.full(ends, size, dtype=np.uint64)
    for offset in range(size):
        hashed = (hashed ^ codes[offset : offset + ends]) * _MIX
        hashed ^= hashed >> np.uint64(29)
    inside = owner[:ends] == owner[size - 1 : size - 1 + ends]
    keys: NDArray[np.uint64] = (owner[:ends][inside] << _GRAM_BITS) | (hashed[inside] & _GRAM_MASK)
    return keys
