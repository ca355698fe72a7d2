"""Out-of-fold prediction of the harm level from the surface of the texts, scored by macro-F1."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from builder.corpus_rules.texts import texts_of
from builder.leakage.features import (
    Features,
    content_words,
    first_words,
    form,
    function_words,
    length,
    punctuation,
    template,
    words,
)
from builder.leakage.naive_bayes import fit_naive_bayes
from builder.leakage.telling_words import TellingWord, telling_words
from schemas.records import Request
from schemas.vocabulary import HarmLevel

FOLDS = 10
N_RESAMPLES = 2000
N_PERMUTATIONS = 200
MODELS: dict[str, Features] = {
    "words": words,
    "content words": content_words,
    "function words": function_words,
    "template": template,
    "first two words": first_words,
    "punctuation": punctuation,
    "length": length,
    "form": form,
}


class SurfaceScore(NamedTuple):
    """How well a surface model predicts the level: macro-F1, its 95 % interval over requests, F1 by level.

    `confusion[i][j]` counts texts of the i-th level predicted as the j-th. `chance` is the macro-F1 of guessing by the
    shares of the levels, 1 / number of levels; `permuted` the range that holds 95 % of the scores when the levels are
    dealt out anew among the requests.
    """

    model: str
    macro_f1: float
    interval: tuple[float, float]
    permuted: tuple[float, float]
    chance: float
    f1: tuple[float, ...]
    confusion: tuple[tuple[int, ...], ...]
    levels: tuple[HarmLevel, ...]
    n_texts: int
    n_requests: int


class Leakage(NamedTuple):
    """The scores of the surface models and the words most telling of each level."""

    scores: tuple[SurfaceScore, ...]
    words: tuple[TellingWord, ...]


class TooFewRequestsError(Exception):
    """A corpus in which some level has fewer requests than are needed to hold any out."""


def measure_leakage(requests: Sequence[Request], rng: np.random.Generator | None = None) -> Leakage:
    """Scores each surface model, all texts of a request held out together; ten folds, the same for all.

    Raises TooFewRequestsError if there are fewer than two levels or a level has fewer than two requests.
    """
    sizes = Counter(request.level for request in requests)
    if len(sizes) < 2 or min(sizes.values()) < 2:
        raise TooFewRequestsError(f"want two requests of each of two levels or more, got {dict(sizes)}")
    rng = np.random.default_rng(0) if rng is None else rng
    folds = _folds(requests, rng)
    scores = tuple(_score(name, requests, folds, rng) for name in MODELS)
    return Leakage(scores, telling_words(requests))


def f1_by_class(confusion: NDArray[np.float64]) -> NDArray[np.float64]:
    """F1 of each class, 2·TP / (actual + predicted), from counts whose last axes are actual and predicted class.

    A class neither met nor predicted has F1 0.
    """
    hits = np.diagonal(confusion, axis1=-2, axis2=-1)
    total = confusion.sum(axis=-1) + confusion.sum(axis=-2)
    return np.asarray(2 * hits / np.where(total > 0, total, 1.0))


def _score(name: str, requests: Sequence[Request], folds: NDArray[np.int64], rng: np.random.Generator) -> SurfaceScore:
    levels = tuple(sorted({request.level for request in requests}))
    items = list(texts_of(requests))
    place = {id(request): number for number, request in enumerate(requests)}
    owner = np.array([place[id(item.request)] for item in items])
    actual = np.array([levels.index(request.level) for request in requests])
    dealt = np.column_stack([actual, *(rng.permutation(actual) for _ in range(N_PERMUTATIONS))])
    predicted = _out_of_fold([MODELS[name](item.text) for item in items], dealt[owner], folds[owner], len(levels))
    by_request = np.zeros((len(requests), len(levels), len(levels)))
    np.add.at(by_request, (owner, actual[owner], predicted[:, 0]), 1)
    confusion = by_request.sum(axis=0)
    f1 = f1_by_class(confusion)
    permuted = _middle(_scores(dealt[owner, 1:], predicted[:, 1:], len(f1)))
    return SurfaceScore(
        name, float(f1.mean()), _interval(by_request, rng), permuted,
        1 / len(levels), tuple(f1.tolist()), tuple(tuple(int(count) for count in row) for row in confusion), levels,
        len(items), len(requests),
    )  # fmt: skip


def _folds(requests: Sequence[Request], rng: np.random.Generator) -> NDArray[np.int64]:
    """A fold for each request: the requests of a level are shuffled and dealt out in turn."""
    levels = np.array([request.level.value for request in requests])
    folds = np.zeros(len(requests), dtype=np.int64)
    for level in np.unique(levels):
        places = rng.permutation(np.flatnonzero(levels == level))
        folds[places] = np.arange(len(places)) % FOLDS
    return folds


def _out_of_fold(
    found: Sequence[list[str]], classes: NDArray[np.int64], folds: NDArray[np.int64], n_classes: int
) -> NDArray[np.int64]:
    """The class of each text predicted by a model of the other folds, once for each column of `classes`."""
    predicted = np.zeros_like(classes)
    for fold in np.unique(folds):
        held_out = folds == fold
        train = [names for names, out in zip(found, held_out, strict=True) if not out]
        test = [names for names, out in zip(found, held_out, strict=True) if out]
        predicted[held_out] = fit_naive_bayes(train, classes[~held_out], n_classes).predict(test)
    return predicted


def _scores(actual: NDArray[np.int64], predicted: NDArray[np.int64], n_classes: int) -> NDArray[np.float64]:
    """The macro-F1 of each column."""
    columns = np.broadcast_to(np.arange(actual.shape[1]), actual.shape)
    confusions = np.zeros((actual.shape[1], n_classes, n_classes))
    np.add.at(confusions, (columns, actual, predicted), 1)
    return np.asarray(f1_by_class(confusions).mean(axis=-1))


def _interval(by_request: NDArray[np.float64], rng: np.random.Generator) -> tuple[float, float]:
    """95 % percentile interval of the macro-F1 over resampled requests, the predictions kept."""
    n = len(by_request)
    weights = rng.multinomial(n, np.full(n, 1 / n), size=N_RESAMPLES).astype(np.float64)
    confusions = np.tensordot(weights, by_request, axes=1)
    return _middle(f1_by_class(confusions).mean(axis=-1))


def _middle(values: NDArray[np.float64]) -> tuple[float, float]:
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)
