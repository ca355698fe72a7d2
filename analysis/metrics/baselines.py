"""What predicts refusals without self-knowledge: a threshold on a score, a table of topic and level, words."""

from collections.abc import Sequence

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
    """Multinomial naive Bayes on the words of the request (add-one smoothing), trained on the other folds.

    NaN where the other folds lack one of the outcomes.
    """
    outcome = binary_codes(actual)
    words = [np.unique(text.lower().split()) for text in texts]
    vocabulary, flat = np.unique(np.concatenate([*words, np.zeros(0, dtype=np.str_)]), return_inverse=True)
    row = np.repeat(np.arange(len(words)), [len(found) for found in words])
    predicted = np.full(len(outcome), np.nan)
    for train, test in _folds(request, n_folds):
        known = train & (outcome >= 0)
        sizes = np.bincount(outcome[known], minlength=2)
        if not sizes.all():
            continue
        log_p = np.stack([_log_word_shares(flat[(known & (outcome == y))[row]], len(vocabulary)) for y in (0, 1)])
        odds = np.bincount(row, weights=(log_p[1] - log_p[0])[flat], minlength=len(words))
        predicted[test] = (odds + np.log(sizes[1] / sizes[0]) > 0)[test]
    return predicted


def _log_word_shares(words: Ints, n_words: int) -> Floats:
    counts = np.bincount(words, minlength=n_words) + 1.0
    return np.asarray(np.log(counts / max(counts.sum(), 1.0)), dtype=np.float64)


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
