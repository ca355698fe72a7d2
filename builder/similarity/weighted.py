"""Cosines in which rare n-grams weigh more, so that small talk and function words do not make texts alike."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array

from builder.similarity.grams import count_grams, normalise, unit_rows, vocabulary


def rarity_cosines(left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
    """Cosine of every left with every right text, n-grams weighted by inverse document frequency over both lists.

    The weight is ln((1 + n) / (1 + df)) + 1 (the smoothed form of Spärck Jones 1972, doi:10.1108/eb026526). Dense:
    meant for thousands of texts a side, not for a hundred thousand.
    """
    counts = count_grams([normalise(text) for text in (*left, *right)])
    rows = unit_rows(counts, vocabulary(counts))
    frequency = np.bincount(rows.indices, minlength=rows.shape[1])
    weighted = csr_array(rows @ diags_array(np.log((1 + rows.shape[0]) / (1 + frequency)) + 1))
    length = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
    scaled = csr_array(diags_array(1 / np.where(length > 0, length, 1.0)) @ weighted)
    return np.asarray((scaled[: len(left)] @ scaled[len(left) :].T).toarray())
