"""What a surface model sees of a text, as strings: one-hot features, weighted by rarity for words."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from builder.similarity.grams import normalise

Features = Callable[[str], list[str]]
MIN_TEXTS = 2
_BIN_WIDTH = 3


def words(text: str) -> list[str]:
    """The distinct words."""
    return sorted(set(normalise(text).split()))


def length(text: str) -> list[str]:
    """The number of words and of characters, in bins."""
    return [f"words:{len(text.split()) // _BIN_WIDTH}", f"characters:{len(text) // (6 * _BIN_WIDTH)}"]


def form(text: str) -> list[str]:
    """How the text opens and ends, how many sentences and questions it has, who speaks."""
    plain = normalise(text).split() or [""]
    return [
        f"opens:{plain[0]}",
        f"opens:{' '.join(plain[:2])}",
        f"ends:{text[-1] if text.endswith(('?', '!', '.')) else 'open'}",
        f"sentences:{len(re.findall(r'[.?!](?:$| )', text))}",
        f"questions:{text.count('?')}",
        f"commas:{min(text.count(','), 4)}",
        "capital" if text[:1].isupper() else "lower case",
        *(["first person"] if {"i", "my", "me", "im", "ive", "we", "our"} & set(plain) else []),
        *(["please or thanks"] if {"please", "thanks", "kindly", "sorry"} & set(plain) else []),
    ]


class Vectorizer(NamedTuple):
    """Columns and weights of the features met in a training set."""

    columns: dict[str, int]
    weights: NDArray[np.float64]

    def rows(self, found: Sequence[list[str]]) -> csr_array:
        """One unit row a text; features that were not met in training are left out."""
        places = [[self.columns[name] for name in names if name in self.columns] for names in found]
        indptr = np.cumsum([0, *map(len, places)])
        indices = np.array([place for row in places for place in row], dtype=np.int64)
        data = self.weights[indices]
        squares = np.array([np.square(self.weights[row]).sum() for row in places])
        data = data / np.repeat(np.sqrt(np.where(squares > 0, squares, 1.0)), np.diff(indptr))
        return csr_array((data, indices, indptr), shape=(len(places), len(self.columns)))


def fit_vectorizer(found: Sequence[list[str]]) -> Vectorizer:
    """A column for each feature of at least two texts, weighted by ln((1 + n) / (1 + df)) + 1."""
    frequency = Counter(name for names in found for name in names)
    kept = sorted(name for name, count in frequency.items() if count >= MIN_TEXTS)
    counts = np.array([frequency[name] for name in kept], dtype=np.float64)
    return Vectorizer({name: place for place, name in enumerate(kept)}, np.log((1 + len(found)) / (1 + counts)) + 1)
