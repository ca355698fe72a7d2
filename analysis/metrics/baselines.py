"""What predicts refusals without self-knowledge: a threshold on a score, a table of topic and level, words."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .arrays import Bools, Floats, Ints, binary_codes
from .routing import request_folds


def majority_predictions(actual: npt.ArrayLike, request: npt.ArrayLike, n_folds: int = 10) -> Floats:
    """For each row the commoner outcome of the other folds of requests; a tie says 0, NaN without other rows."""
    return table_predictions(np.zeros(len(np.asarray(actual)), dtype=np.int64), actual, request, n_folds)


def threshold_predictions(
    score: npt.ArrayLike, actual: npt.ArrayLike, request: npt.ArrayLike, n_folds: int = 10
) -> Floats:
    """ "Refuse iff score ≥ t", t being the distinct score (or above all) that is most accurate on the other folds.

    For the assigned level, or the target's own harm rating. The smallest t wins a tie. NaN where the score is missing
    or nothing is left to learn from.
    """
    values, outcome = np.asarray(score, dtype=np.float64), binary_codes(actual)
    usable = ~np.isnan(values) & (outcome >= 0)
    predicted = np.full(len(values), np.nan)
    for train, test in _folds(request, n_folds):
        threshold = _best_threshold(values[train & usable], outcome[train & usable])
        rows = test & ~np.isnan(values)
        if threshold is not None:
            predicted[rows] = values[rows] >= threshold
    return predicted


def table_predictions(cell: npt.ArrayLike, actual: npt.ArrayLike, request: npt.ArrayLike, n_folds: int = 10) -> Floats:
    """The commoner outcome of each cell (say topic × level) in the other folds, else of all cells; a tie says 0."""
    cells, outcome = np.unique(np.asarray(cell), return_inverse=True)[1], binary_codes(actual)
    predicted = np.full(len(outcome), np.nan)
    n_cells = int(cells.max(initial=-1)) + 1
    for train, test in _folds(request, n_folds):
        known = train & (outcome >= 0)
        if not known.any():
            continue
        balance = np.bincount(cells[known], weights=2 * outcome[known] - 1, minlength=n_cells)
        seen = np.bincount(cells[known], minlength=n_cells) > 0
        says = np.where(seen, balance > 0, balance.sum() > 0)
        predicted[test] = says[cells[test]]
    return predicted


def text_predictions(texts: Sequence[str], actual: npt.ArrayLike, request: npt.ArrayLike, n_folds: int = 10) -> Floats:
    """Naive Bayes on which words a request has (multinomial, add-one smoothing), trained on the other folds.

    NaN where the other folds lack one of the outcomes.
    """
    outcome, words = binary_codes(actual), _words(texts)
    predicted = np.full(len(outcome), np.nan)
    for train, test in _folds(request, n_folds):
        known = train & (outcome >= 0)
        sizes = np.bincount(outcome[known], minlength=2)
        if not sizes.all():
            continue
        log_p = [words.log_shares(known & (outcome == y)) for y in (0, 1)]
        odds = np.bincount(words.owner, weights=(log_p[1] - log_p[0])[words.word], minlength=words.n_texts)
        predicted[test] = (odds + np.log(sizes[1] / sizes[0]) > 0)[words.text[test]]
    return predicted


class _Words(NamedTuple):
    """Distinct texts: `text` of each row, and pairs `owner` (a text) and `word`, one for each word of a text."""

    text: Ints
    owner: Ints
    word: Ints
    n_texts: int
    n_words: int

    def log_shares(self, rows: Bools) -> Floats:
        """Logarithm of each word's smoothed share of all words of these rows."""
        times = np.bincount(self.text[rows], minlength=self.n_texts)
        counts = np.bincount(self.word, weights=times[self.owner], minlength=self.n_words) + 1.0
        return np.asarray(np.log(counts / max(counts.sum(), 1.0)), dtype=np.float64)


def _words(texts: Sequence[str]) -> _Words:
    places: dict[str, int] = {}
    text = [places.setdefault(known, len(places)) for known in texts]
    found = [sorted(set(re.findall(r"\w+", known.lower()))) for known in places]
    codes: dict[str, int] = {}
    word = [codes.setdefault(known, len(codes)) for words in found for known in words]
    owner = np.repeat(np.arange(len(found)), [len(words) for words in found])
    return _Words(
        np.array(text, dtype=np.int64),
        owner.astype(np.int64),
        np.array(word, dtype=np.int64),
        len(places),
        len(codes),
    )


def _folds(request: npt.ArrayLike, n_folds: int) -> list[tuple[Bools, Bools]]:
    codes, row = np.unique(np.asarray(request), return_inverse=True)
    fold = request_folds(len(codes), n_folds)[row]
    return [(fold != number, fold == number) for number in range(min(n_folds, len(codes)))]


def _best_threshold(score: Floats, outcome: Ints) -> float | None:
    if len(score) == 0:
        return None
    levels, place = np.unique(score, return_inverse=True)
    gain = np.bincount(place, weights=2 * outcome - 1, minlength=len(levels))
    right = np.append(np.cumsum(gain[::-1])[::-1], 0.0)
    return float(np.append(levels, np.inf)[int(right.argmax())])
