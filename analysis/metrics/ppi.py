"""Prediction-powered inference of a rate: a judge on all rows, people on some of them."""

import math

import numpy as np
import numpy.typing as npt
from scipy import special

from .arrays import Floats
from .estimate import OK, Estimate, undefined

N_FOLDS = 5


def ppi_mean(
    human: npt.ArrayLike,
    judged: npt.ArrayLike,
    judged_unlabelled: npt.ArrayLike,
    tuning: float | None = 1.0,
    confidence_level: float = 0.95,
) -> Estimate:
    """λ·mean(Ŷ_u) + mean(Y − λŶ) with variance λ²·Var(Ŷ_u)/N + Var(Y − λŶ)/n (Angelopoulos et al. 2023,
    arXiv:2301.09633; λ: arXiv:2311.01453).

    `human` Y and `judged` Ŷ of the labelled rows, `judged_unlabelled` Ŷ_u of the rest. `tuning` λ = None tunes it on
    the same labels, which under-covers with few positives. None without two rows on either side.
    """
    y, y_hat, y_rest = (np.asarray(values, dtype=np.float64) for values in (human, judged, judged_unlabelled))
    if min(len(y), len(y_rest)) < 2:
        return undefined("undefined_too_few_rows", len(y) + len(y_rest))
    lam = optimal_tuning(y, y_hat, y_rest) if tuning is None else tuning
    value = lam * float(y_rest.mean()) + float((y - lam * y_hat).mean())
    variance = lam**2 * float(y_rest.var()) / len(y_rest) + float((y - lam * y_hat).var()) / len(y)
    return _normal(value, variance, len(y) + len(y_rest), f"PPI, λ = {lam:.4g}", confidence_level)


def ppi_cross_fitted(
    human: npt.ArrayLike, judged: npt.ArrayLike, judged_unlabelled: npt.ArrayLike, confidence_level: float = 0.95
) -> Estimate:
    """PPI with λ for each fifth of the labelled rows tuned on the other four; arguments as `ppi_mean`.

    For ≥ 100 labels with ≥ 15 human positives. None with fewer than 10 labels.
    """
    y, y_hat, y_rest = (np.asarray(values, dtype=np.float64) for values in (human, judged, judged_unlabelled))
    if len(y) < 2 * N_FOLDS or len(y_rest) < 2:
        return undefined("undefined_too_few_rows", len(y) + len(y_rest))
    fold = np.arange(len(y)) % N_FOLDS
    by_fold = np.array([optimal_tuning(y[fold != f], y_hat[fold != f], y_rest) for f in range(N_FOLDS)])
    lam = by_fold[fold]
    rectified, mean_lam = y - lam * y_hat, float(lam.mean())
    value = mean_lam * float(y_rest.mean()) + float(rectified.mean())
    variance = mean_lam**2 * float(y_rest.var()) / len(y_rest) + float(rectified.var()) / len(y)
    return _normal(value, variance, len(y) + len(y_rest), "PPI, cross-fitted λ", confidence_level)


def optimal_tuning(human: Floats, judged: Floats, judged_unlabelled: Floats) -> float:
    """λ* = Cov(Y, Ŷ)/((1 + n/N)·Var(Ŷ)); 0 where the judge never varies."""
    n, n_rest = len(human), len(judged_unlabelled)
    spread = float(np.concatenate([judged, judged_unlabelled]).var(ddof=1))
    covariance = float(((human - human.mean()) * (judged - judged.mean())).sum()) / (n - 1)
    return covariance / ((1 + n / n_rest) * spread) if spread > 0 else 0.0


def _normal(value: float, variance: float, n: int, method: str, confidence_level: float) -> Estimate:
    half = float(special.ndtri(0.5 + confidence_level / 2)) * math.sqrt(variance)
    return Estimate(value, value - half, value + half, n, None, OK, method)
