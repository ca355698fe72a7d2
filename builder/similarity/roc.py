"""How well a similarity separates two kinds of pairs."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import rankdata


def area_under_roc(positive: ArrayLike, negative: ArrayLike) -> float:
    """The probability that a positive pair scores above a negative one, ties counting half.

    AUC = (R − p(p + 1)/2) / (p·n), with R the rank sum of the p positives (Hanley & McNeil 1982,
    doi:10.1148/radiology.143.1.7063747). Raises ValueError if a side is empty.
    """
    high, low = np.asarray(positive, dtype=float), np.asarray(negative, dtype=float)
    if not len(high) or not len(low):
        raise ValueError(f"want scores on both sides, got {len(high)} positive and {len(low)} negative")
    ranks = rankdata(np.concatenate([high, low]))[: len(high)].sum()
    return float((ranks - len(high) * (len(high) + 1) / 2) / (len(high) * len(low)))
