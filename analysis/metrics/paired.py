"""Two models on the same rows: a sign-flip test on request totals."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .arrays import Floats
from .table import totals_by_request

MAX_EXACT = 14
N_FLIPS = 9999


@dataclass(frozen=True, slots=True)
class SignFlip:
    """Two-sided p-value; `exact` if all 2^m flips were tried. `difference` is the mean of rows, None without."""

    p_value: float
    exact: bool
    difference: float | None
    n_nonzero: int


def cluster_sign_flip(
    difference: npt.ArrayLike, request: npt.ArrayLike, rng: np.random.Generator | None = None, n_flips: int = N_FLIPS
) -> SignFlip:
    """Permutation test of Σ_g ±T_g, T_g the request totals of `difference` (correct₂ − correct₁ a row).

    Exact if at most 14 totals are not zero, else `n_flips` random flips with add-one; `rng` defaults to seed 0.
    Rows where the difference is NaN are left out: the models are compared on what both answered.
    """
    rows = np.asarray(difference, dtype=np.float64)
    known = ~np.isnan(rows)
    totals = totals_by_request(np.asarray(request)[known], rows[known])
    mean = float(rows[known].mean()) if known.any() else None
    nonzero = totals[totals != 0]
    exact = len(nonzero) <= MAX_EXACT
    p_value = _exact(nonzero) if exact else _sampled(nonzero, rng or np.random.default_rng(0), n_flips)
    return SignFlip(p_value, exact, mean, len(nonzero))


def _exact(totals: Floats) -> float:
    signs = 1.0 - 2.0 * (np.arange(2 ** len(totals))[:, None] >> np.arange(len(totals)) & 1)
    return float(np.mean(_as_extreme(signs @ totals, totals)))


def _sampled(totals: Floats, rng: np.random.Generator, n_flips: int) -> float:
    # Totals of one size are interchangeable: how many of them keep their sign is binomial.
    sizes, n_of_size = np.unique(np.abs(totals), return_counts=True)
    kept = rng.binomial(n_of_size, 0.5, size=(n_flips, len(sizes)))
    extreme = int(_as_extreme((2.0 * kept - n_of_size) @ sizes, totals).sum())
    return (extreme + 1) / (n_flips + 1)


def _as_extreme(sums: Floats, totals: Floats) -> "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]":
    return np.abs(sums) >= abs(float(totals.sum())) - 1e-9
