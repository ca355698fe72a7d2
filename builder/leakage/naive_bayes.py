"""Complement naive Bayes: the surface model of the leakage checks, in closed form."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

SMOOTHING = 1.0


class NaiveBayes(NamedTuple):
    """A column for each feature met in training, and how much it speaks for each class.

    `weights` is feature × class, or feature × problem × class if several problems were learnt from the same texts.
    """

    columns: dict[str, int]
    weights: NDArray[np.float64]

    def predict(self, found: Sequence[list[str]]) -> NDArray[np.int64]:
        """The class of each text (a column for each problem); unknown features say nothing; the first of equals."""
        size, *rest = self.weights.shape
        flat = self.weights.reshape(size, math.prod(rest))
        scores = np.asarray(_one_hot(found, self.columns) @ flat).reshape(len(found), *rest)
        return np.asarray(scores.argmax(axis=-1), dtype=np.int64)


def fit_naive_bayes(found: Sequence[list[str]], classes: NDArray[np.int64], n_classes: int) -> NaiveBayes:
    """Weights −ln((1 + count of the feature outside the class) / (total of these)), which unequal classes do not bias.

    `classes` are those of the texts, or a column of them for each problem.

    Rennie et al. 2003, "Tackling the poor assumptions of naive Bayes text classifiers", §3.1, without the length norm.
    """
    columns = {name: place for place, name in enumerate(sorted({name for names in found for name in names}))}
    rows = _one_hot(found, columns)
    told = np.eye(n_classes)[classes]
    inside = np.asarray(csr_array(rows.T) @ told.reshape(len(found), -1)).reshape(len(columns), *told.shape[1:])
    outside = inside.sum(axis=-1, keepdims=True) - inside + SMOOTHING
    return NaiveBayes(columns, -np.log(outside / outside.sum(axis=0)))


def _one_hot(found: Sequence[list[str]], columns: dict[str, int]) -> csr_array:
    places = [[columns[name] for name in names if name in columns] for names in found]
    indptr = np.cumsum([0, *map(len, places)])
    indices = np.array([place for row in places for place in row], dtype=np.int64)
    return csr_array((np.ones(len(indices)), indices, indptr), shape=(len(places), len(columns)))
