"""Word sets of texts and their Jaccard similarity."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array


def index_words(normalised: Sequence[str]) -> dict[str, int]:
    """A column for each distinct word, in order of appearance."""
    columns: dict[str, int] = {}
    for text in normalised:
        for word in text.split():
            columns.setdefault(word, len(columns))
    return columns


def word_rows(normalised: Sequence[str], columns: dict[str, int]) -> csr_array:
    """One row a text with a 1 for each of its distinct words that has a column."""
    found = [sorted({columns[word] for word in text.split() if word in columns}) for text in normalised]
    indptr = np.cumsum([0, *map(len, found)])
    indices = np.array([column for row in found for column in row], dtype=np.int64)
    return csr_array((np.ones(len(indices)), indices, indptr), shape=(len(found), len(columns)))


def word_set_sizes(normalised: Sequence[str]) -> NDArray[np.float64]:
    """The number of distinct words of each text."""
    return np.array([len(set(text.split())) for text in normalised], dtype=np.float64)
