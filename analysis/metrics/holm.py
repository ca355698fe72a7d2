"""Holm's step-down correction of a family of p-values."""

from collections.abc import Sequence

import numpy as np


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjusted p-values in the given order: max over smaller ones of (m − rank)·p, at most 1 (Holm 1979).

    None and NaN stay None and do not count in m.
    """
    values = np.array([np.nan if p is None else p for p in p_values], dtype=np.float64)
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.argsort(values[known], kind="stable")]
    steps = values[order] * np.arange(len(order), 0, -1)
    adjusted: list[float | None] = [None] * len(values)
    for place, p in zip(order, np.minimum(np.maximum.accumulate(steps), 1.0), strict=True):
        adjusted[int(place)] = float(p)
    return adjusted
