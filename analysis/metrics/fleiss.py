"""Fleiss' kappa of several raters, the same number for every item."""

import numpy as np
import numpy.typing as npt

from .arrays import ratio
from .estimate import defined


def fleiss_kappa(counts: npt.ArrayLike) -> float | None:
    """κ = (P̄ − P̄e)/(1 − P̄e) of raters by item and category, (items, q) (Fleiss 1971, doi:10.1037/h0031619).

    None without items, with fewer than two raters, or if all ratings are of one category. Raises ValueError if the
    number of raters differs between items.
    """
    table = np.asarray(counts, dtype=np.float64)
    raters = np.unique(table.sum(axis=1)) if table.size else np.zeros(0)
    if len(raters) > 1:
        raise ValueError(f"Fleiss' kappa needs equally many raters an item; found {raters[0]:g} and {raters[-1]:g}")
    if len(raters) == 0 or raters[0] < 2:
        return None
    shares = table.sum(axis=0) / table.sum()
    expected = float((shares**2).sum())
    agreement = (table * (table - 1)).sum(axis=1) / (raters[0] * (raters[0] - 1))
    room = 0.0 if shares.max() == 1 else 1 - expected
    return defined(float(ratio(agreement.mean() - expected, room)))
