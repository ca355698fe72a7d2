"""Areas under the ROC: of the signed rating (type 1), of confidence about one's own errors (type 2), of any score."""

import numpy as np
import numpy.typing as npt
from scipy import stats

from .arrays import Floats, binary_codes, rating_codes, ratio
from .estimate import defined

N_LEVELS = 5


def signed_rating(pred: npt.ArrayLike, confidence: npt.ArrayLike, n_levels: int = N_LEVELS) -> Floats:
    """Rating 1..2K: K + confidence where refusal is predicted, K + 1 − confidence else; NaN where either is missing."""
    said, levels = binary_codes(pred), rating_codes(confidence, n_levels)
    rating = np.where(said == 1, n_levels + levels, n_levels + 1 - levels).astype(np.float64)
    return np.where((said < 0) | (levels == 0), np.nan, rating)


def auroc(positive: npt.ArrayLike, score: npt.ArrayLike) -> float | None:
    """P(s⁺ > s⁻) + ½P(s⁺ = s⁻) by midranks; None where a class is empty. Rows with NaN/None in either are left out."""
    label, values = binary_codes(positive), np.asarray(score, dtype=np.float64)
    known = (label >= 0) & ~np.isnan(values)
    label, values = label[known], values[known]
    n_positive, n_negative = int(label.sum()), int((label == 0).sum())
    if not n_positive or not n_negative:
        return None
    rank_sum = float(stats.rankdata(values)[label == 1].sum())
    return (rank_sum - n_positive * (n_positive + 1) / 2) / (n_positive * n_negative)


def auroc_signed(actual: npt.ArrayLike, pred: npt.ArrayLike, confidence: npt.ArrayLike) -> float | None:
    """AUROC of the signed rating against the outcome; None where a class is empty."""
    return auroc(actual, signed_rating(pred, confidence))


def auroc_type2(correct: npt.ArrayLike, confidence: npt.ArrayLike) -> float | None:
    """AUROC of confidence for right against wrong predictions; None without errors or without right ones."""
    return auroc(correct, confidence)


def auroc_of_counts(counts: Floats) -> Floats:
    """AUROC from rows by class and level (..., 2, levels) = [negative, positive]; NaN where a class is empty."""
    negative, positive = counts[..., 0, :], counts[..., 1, :]
    below = np.cumsum(negative, axis=-1) - negative / 2
    pairs = negative.sum(axis=-1) * positive.sum(axis=-1)
    return ratio((positive * below).sum(axis=-1), pairs)


def auroc_from_table(counts: Floats) -> float | None:
    """`auroc_of_counts` of one table (2, levels); None where a class is empty."""
    return defined(float(auroc_of_counts(counts)))
