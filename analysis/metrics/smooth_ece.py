"""Smooth ECE: calibration error under a reflected Gaussian kernel at the one bandwidth that equals the error."""

import numpy as np
import numpy.typing as npt
from scipy import fft, optimize

from .arrays import Floats, binary_codes

N_CELLS = 4096


def smooth_ece(p: npt.ArrayLike, y: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> float | None:
    """smECE_σ at the fixed point smECE_σ = σ, with smECE_σ = ∫|E[K_σ(t, p)(y − p)]|dt (Błasiok & Nakkiran 2023,
    arXiv:2309.12236).

    `weights` say how many rows each forecast stands for. Mass at exactly 0 or 1 counts in full. Rows with a null are
    left out; None without rows. Raises ValueError for a forecast outside [0, 1].
    """
    forecast, outcome = np.asarray(p, dtype=np.float64), binary_codes(y)
    rows = np.ones(len(forecast)) if weights is None else np.asarray(weights, dtype=np.float64)
    known = ~np.isnan(forecast) & (outcome >= 0) & (rows > 0)
    forecast, outcome, rows = forecast[known], outcome[known], rows[known]
    if len(forecast) == 0:
        return None
    if forecast.min() < 0 or forecast.max() > 1:
        raise ValueError(f"forecasts from {forecast.min():g} to {forecast.max():g}; wanted [0, 1]")
    spectrum = _spectrum(forecast, rows * (outcome - forecast) / rows.sum())
    return float(optimize.brentq(lambda sigma: _smoothed(spectrum, sigma) - sigma, 0.0, 1.0, xtol=1e-7))


def smooth_ece_of(counts: Floats, p: Floats) -> Floats:
    """Smooth ECE of totals (..., 2, K) = [wrong, right] × level whose forecasts are `p` (K,); NaN without rows."""
    flat = counts.reshape(-1, 2 * len(p))
    outcome = np.repeat([0, 1], len(p))
    found = [smooth_ece(np.tile(p, 2), outcome, weights) for weights in flat]
    return np.array([np.nan if value is None else value for value in found]).reshape(counts.shape[:-2])


def _spectrum(forecast: Floats, residual: Floats) -> Floats:
    """Cosine transform of the residuals in each of 4096 cells of [0, 1]."""
    cell = np.minimum((forecast * N_CELLS).astype(np.int64), N_CELLS - 1)
    mass = np.bincount(cell, weights=residual, minlength=N_CELLS)
    return np.asarray(fft.dct(mass, type=2), dtype=np.float64)


def _smoothed(spectrum: Floats, sigma: float) -> float:
    # Reflection at both ends makes cosines the eigenfunctions: a Gaussian of width σ scales the kth by exp(−(σπk)²/2).
    damping = np.exp(-((sigma * np.pi * np.arange(N_CELLS)) ** 2) / 2)
    return float(np.abs(fft.idct(spectrum * damping, type=2)).sum())
