"""Brier score, Murphy's decomposition of it, and the forecast of refusal that a confident prediction implies."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .arrays import Floats, binary_codes, ratio
from .estimate import OK


@dataclass(frozen=True, slots=True)
class Murphy:
    """brier = reliability − resolution + uncertainty (Murphy 1973); None without rows. Resolution needs no map."""

    brier: float | None
    reliability: float | None
    resolution: float | None
    uncertainty: float | None
    n: int
    status: str


def murphy(p: npt.ArrayLike, y: npt.ArrayLike) -> Murphy:
    """Decomposition over distinct forecasts p of outcomes y = 0/1; rows with a null in either are left out.

    Reliability Σ(n_k/n)(p_k − ȳ_k)², resolution Σ(n_k/n)(ȳ_k − ȳ)², uncertainty ȳ(1 − ȳ)
    (doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2).
    """
    forecast, outcome = np.asarray(p, dtype=np.float64), binary_codes(y)
    known = ~np.isnan(forecast) & (outcome >= 0)
    values, row = np.unique(forecast[known], return_inverse=True)
    n = int(known.sum())
    if n == 0:
        return Murphy(None, None, None, None, 0, "undefined_empty")
    rows = np.bincount(row, minlength=len(values)).astype(np.float64)
    rate = np.bincount(row, weights=outcome[known], minlength=len(values)) / rows
    mean = float(outcome[known].mean())
    return Murphy(
        brier=float(((forecast[known] - outcome[known]) ** 2).mean()),
        reliability=float((rows * (values - rate) ** 2).sum() / n),
        resolution=float((rows * (rate - mean) ** 2).sum() / n),
        uncertainty=mean * (1 - mean),
        n=n,
        status=OK,
    )


def brier_of_counts(counts: Floats, p: Floats) -> Floats:
    """Brier score of level counts (..., 2, levels) = [wrong, right] forecast p; NaN without rows."""
    squared = counts[..., 1, :] * (1 - p) ** 2 + counts[..., 0, :] * p**2
    return ratio(squared.sum(axis=-1), counts.sum(axis=(-2, -1)))


def refusal_forecast(pred: npt.ArrayLike, p_correct: npt.ArrayLike) -> Floats:
    """q = P(refusal): p where refusal is predicted, 1 − p where compliance is; NaN where either is missing."""
    said, p = binary_codes(pred), np.asarray(p_correct, dtype=np.float64)
    return np.where(said < 0, np.nan, np.where(said == 1, p, 1 - p))


def log_score(q: npt.ArrayLike, y: npt.ArrayLike) -> float | None:
    """Mean −ln(probability given to what happened), in nats; inf if that was 0 once; y may be a rate x/k in [0, 1].

    Rows with a null are left out; None without rows.
    """
    forecast, outcome = np.asarray(q, dtype=np.float64), np.asarray(y, dtype=np.float64)
    known = ~np.isnan(forecast) & ~np.isnan(outcome)
    if not known.any():
        return None
    chosen = np.stack([outcome[known], 1 - outcome[known]])
    given = np.stack([forecast[known], 1 - forecast[known]])
    if ((given == 0) & (chosen > 0)).any():
        return float("inf")
    return float(-(chosen * np.log(np.where(chosen > 0, given, 1.0))).sum(axis=0).mean())
