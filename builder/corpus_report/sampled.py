"""A corpus too large to compare each pair: the nearest that MinHash brings together, the interval of a mean."""

import numpy as np
from numpy.typing import NDArray

from builder.corpus_rules.texts import CorpusText
from builder.similarity.candidates import candidate_pairs
from builder.similarity.grams import normalise
from builder.similarity.near import pair_similarity

Z = 1.959964


def nearest_pairs(items: list[CorpusText], count: int) -> list[tuple[float, CorpusText, CorpusText]]:
    """Cosine, text and earlier text of the nearest pairs of different requests, of those that MinHash brings together.

    In falling order, at most `count`; none if no texts are alike.
    """
    places = candidate_pairs([normalise(item.text) for item in items]).tolist()
    places = [(late, early) for early, late in places if items[late].request is not items[early].request]
    cosines, _ = pair_similarity([items[late].text for late, _ in places], [items[early].text for _, early in places])
    ordered = sorted(zip(np.round(-cosines, 4).tolist(), places, strict=True))
    return [(-value, items[late], items[early]) for value, (late, early) in ordered[:count]]


def mean_interval(values: NDArray[np.floating], chosen: NDArray[np.bool_]) -> tuple[float, float] | None:
    """95 % interval of the mean over the chosen pairs in the population that the n texts (rows) were drawn from.

    The mean is a ratio of two U-statistics, θ = A/B, with the influence 2(Aᵢ − θBᵢ)/B of text i on it; the interval is
    θ ± 1.96 sd(influence)/√n (Hoeffding 1948, doi:10.1214/aoms/1177730196). None without a pair.
    """
    pairs = chosen | chosen.T
    if not pairs.any():
        return None
    sums, counts = np.where(pairs, values, 0.0).mean(axis=1), pairs.mean(axis=1)
    mean = float(sums.mean() / counts.mean())
    off = float(Z * np.std(2 * (sums - mean * counts) / counts.mean(), ddof=1) / np.sqrt(len(pairs)))
    return mean - off, mean + off
