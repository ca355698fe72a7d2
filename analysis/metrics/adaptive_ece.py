"""Adaptive ECE for continuous forecasts: bins of equal mass that keep ties together."""

import numpy as np
import numpy.typing as npt

from .arrays import binary_codes


def ece_adaptive(p: npt.ArrayLike, y: npt.ArrayLike, n_bins: int = 10) -> float | None:
    """Σ(n_b/n)|ȳ_b − p̄_b| over bins between the quantiles of p, right-closed, equal edges merged (Nguyen & O'Connor
    2015, arXiv:1508.05154). Rows with a null are left out; None without rows. For levels use `ece_levels`.
    """
    forecast, outcome = np.asarray(p, dtype=np.float64), binary_codes(y)
    known = ~np.isnan(forecast) & (outcome >= 0)
    forecast, outcome = forecast[known], outcome[known]
    if len(forecast) == 0:
        return None
    edges = np.unique(np.quantile(forecast, np.linspace(0, 1, n_bins + 1)))
    bins = np.maximum(np.searchsorted(edges, forecast, side="left"), 1)
    gaps = np.bincount(bins, weights=outcome - forecast)
    return float(np.abs(gaps).sum() / len(forecast))
