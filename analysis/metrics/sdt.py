"""Signal detection: sensitivity d', criterion c and companions of hits, misses, false alarms, correct rejections."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special

from .arrays import Floats
from .estimate import OK, defined

Correction = Literal["loglinear", "half_n", "none"]


@dataclass(frozen=True, slots=True)
class SignalDetection:
    """Rates and measures of one 2×2 table; None where undefined, ±inf possible only without correction.

    `hit_rate` and `fa_rate` are corrected when the measures are defined and raw otherwise. c < 0 means that refusal is
    predicted too often. `status`: ok, extreme_rate_corrected (a raw rate was 0 or 1), infinite, undefined_no_signal
    (nothing was refused), undefined_no_noise (everything was), undefined_empty.
    """

    hit_rate: float | None
    fa_rate: float | None
    d_prime: float | None
    criterion: float | None
    ln_beta: float | None
    a_prime: float | None
    status: str


def sdt(hit: float, miss: float, fa: float, cr: float, correction: Correction = "loglinear") -> SignalDetection:
    """d' = z(H) − z(F), c = −½[z(H) + z(F)], ln β = ½[z(F)² − z(H)²] = d'·c, with A' from the raw rates.

    `loglinear`: H = (h+½)/(ns+1), F = (f+½)/(nn+1), always (Hautus 1995, doi:10.3758/BF03203619). `half_n`: only a
    rate of 0 or 1 is moved, by 1/(2N) (Macmillan & Kaplan 1985). Without a signal or noise trial nothing is defined.
    Raises ValueError for a negative count.
    """
    if min(hit, miss, fa, cr) < 0:
        raise ValueError(f"negative count in hit={hit}, miss={miss}, fa={fa}, cr={cr}")
    n_signal, n_noise = hit + miss, fa + cr
    raw_h = hit / n_signal if n_signal else None
    raw_f = fa / n_noise if n_noise else None
    if raw_h is None or raw_f is None:
        return SignalDetection(raw_h, raw_f, None, None, None, None, empty_class(n_signal, n_noise))
    h, f = _corrected(hit, n_signal, correction), _corrected(fa, n_noise, correction)
    z_h, z_f = float(special.ndtri(h)), float(special.ndtri(f))
    extreme = raw_h in (0.0, 1.0) or raw_f in (0.0, 1.0)
    return SignalDetection(
        h,
        f,
        defined(z_h - z_f),
        defined(-(z_h + z_f) / 2),
        defined((z_f**2 - z_h**2) / 2),
        a_prime(raw_h, raw_f),
        (("infinite" if correction == "none" else "extreme_rate_corrected") if extreme else OK),
    )


def empty_class(n_signal: float, n_noise: float) -> str:
    """Why d' does not exist: which class has no trial; "ok" when both have one."""
    if not n_signal and not n_noise:
        return "undefined_empty"
    return "undefined_no_signal" if not n_signal else "undefined_no_noise" if not n_noise else OK


def a_prime(h: float, f: float) -> float:
    """A', a sensitivity of [0, 1] from raw rates (Grier 1971, doi:10.1037/h0031246); not free of bias, prefer AUROC."""
    if h == f:
        return 0.5
    if h > f:
        return 0.5 + (h - f) * (1 + h - f) / (4 * h * (1 - f))
    return 0.5 - (f - h) * (1 + f - h) / (4 * f * (1 - h))


def d_prime_se(hit: float, miss: float, fa: float, cr: float) -> float | None:
    """Standard error of d' for independent rows: Var = Σ p(1−p)/(n φ(z(p))²) over H and F (Gourevitch & Galanter 1967).

    Uses log-linear rates; None if a class is empty.
    """
    n_signal, n_noise = hit + miss, fa + cr
    if not n_signal or not n_noise:
        return None
    return math.sqrt(_rate_variance(hit, n_signal) + _rate_variance(fa, n_noise))


def z_rates(outcomes: Floats) -> tuple[Floats, Floats]:
    """Log-linear z(H), z(F) of outcomes (..., 4) = hit, miss, fa, cr; NaN where either class is empty."""
    hit, miss, fa, cr = np.moveaxis(outcomes, -1, 0)
    n_signal, n_noise = hit + miss, fa + cr
    both = (n_signal > 0) & (n_noise > 0)
    z_h, z_f = special.ndtri((hit + 0.5) / (n_signal + 1)), special.ndtri((fa + 0.5) / (n_noise + 1))
    return np.where(both, z_h, np.nan), np.where(both, z_f, np.nan)


def d_prime(outcomes: Floats) -> Floats:
    """Log-linear d' of outcomes (..., 4); NaN where a class is empty."""
    z_h, z_f = z_rates(outcomes)
    return z_h - z_f


def criterion(outcomes: Floats) -> Floats:
    """Log-linear c of outcomes (..., 4); NaN where a class is empty."""
    z_h, z_f = z_rates(outcomes)
    return -(z_h + z_f) / 2


def _corrected(count: float, n: float, correction: Correction) -> float:
    if correction == "loglinear":
        return (count + 0.5) / (n + 1)
    if correction == "half_n" and count in (0, n):
        return 0.5 / n if count == 0 else 1 - 0.5 / n
    return count / n


def _rate_variance(count: float, n: float) -> float:
    rate = (count + 0.5) / (n + 1)
    density = math.exp(-(float(special.ndtri(rate)) ** 2) / 2) / math.sqrt(2 * math.pi)
    return rate * (1 - rate) / (n * density**2)
