"""meta-d': the d' that the confidence ratings alone would imply, and its ratio to the actual d'."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import optimize, special

from .arrays import Floats
from .estimate import OK

MIN_ERRORS = 30
D_PRIME_RANGE = (0.5, 3.5)
FLOOR = 1e-300


@dataclass(frozen=True, slots=True)
class MetaD:
    """d', c, meta-d', M-ratio = meta-d'/d' and M-diff = meta-d' − d'; None where undefined.

    `padding` was added to every cell because one was empty (0 if none was); `n_levels` are the levels in use.
    """

    d_prime: float | None
    criterion: float | None
    meta_d: float | None
    m_ratio: float | None
    m_diff: float | None
    padding: float
    n_levels: int
    status: str


def meta_d_gate(noise: npt.ArrayLike, signal: npt.ArrayLike) -> str:
    """Whether meta-d' may be printed: "ok", or why AUROC2 must stand alone.

    Needs 2 levels in use, 30 errors and 0.5 ≤ |d'| ≤ 3.5. Arguments as for `meta_d`.
    """
    counts = in_use(np.stack([np.asarray(noise, dtype=np.float64), np.asarray(signal, dtype=np.float64)]))
    k = counts.shape[1] // 2
    if not counts.sum(axis=1).all():
        return "undefined_empty_class"
    if k < 2:
        return "gated_one_level"
    if counts[0, k:].sum() + counts[1, :k].sum() < MIN_ERRORS:
        return "gated_few_errors"
    d_prime, _ = type_one(padded(counts)[0])
    return OK if D_PRIME_RANGE[0] <= abs(d_prime) <= D_PRIME_RANGE[1] else "gated_d_prime_out_of_range"


def meta_d(noise: npt.ArrayLike, signal: npt.ArrayLike) -> MetaD:
    """Maximum likelihood of Σ n log P(confidence | stimulus, response), equal variances, criterion c' = c/d' fixed
    (Maniscalco & Lau 2012, doi:10.1016/j.concog.2011.09.021). Does not apply the gate.

    `noise`, `signal`: rows by signed rating, comply-K .. comply-1, refuse-1 .. refuse-K, for complied and refused rows.
    Levels that nobody used are merged; if a cell is still empty, 1/(2K) is added to all. Raises ValueError for
    unequal or odd lengths.
    """
    if np.shape(noise) != np.shape(signal) or np.size(noise) % 2:
        raise ValueError(
            f"ratings of shape {np.shape(noise)} and {np.shape(signal)}; wanted two of the same even length"
        )
    counts = in_use(np.stack([np.asarray(noise, dtype=np.float64), np.asarray(signal, dtype=np.float64)]))
    k = counts.shape[1] // 2
    if not counts.sum(axis=1).all():
        return MetaD(None, None, None, None, None, 0.0, k, "undefined_empty_class")
    if k < 2:
        return MetaD(None, None, None, None, None, 0.0, k, "undefined_one_level")
    filled, padding = padded(counts)
    d_prime, criterion = type_one(filled)
    if d_prime == 0:
        return MetaD(d_prime, criterion, None, None, None, padding, k, "undefined_d_prime_zero")
    value, converged = _maximise(filled, d_prime, criterion)
    status = ("padded" if padding else OK) if converged else "not_converged"
    return MetaD(d_prime, criterion, value, value / d_prime, value - d_prime, padding, k, status)


def in_use(counts: Floats) -> Floats:
    """Counts (2, 2K) without the confidence levels that no row has."""
    k = counts.shape[1] // 2
    by_level = counts[:, :k][:, ::-1].sum(axis=0) + counts[:, k:].sum(axis=0)
    used = np.flatnonzero(by_level)
    return counts[:, np.concatenate([k - 1 - used[::-1], k + used])]


def padded(counts: Floats) -> tuple[Floats, float]:
    """Counts plus 1/(2K) if a cell is empty, and what was added."""
    padding = 1 / counts.shape[1] if (counts == 0).any() else 0.0
    return counts + padding, padding


def type_one(counts: Floats) -> tuple[float, float]:
    k = counts.shape[1] // 2
    z_f, z_h = special.ndtri(counts[:, k:].sum(axis=1) / counts.sum(axis=1))
    return float(z_h - z_f), float(-(z_h + z_f) / 2)


def log_likelihood(parameters: Floats, counts: Floats, relative: Floats) -> tuple[Floats, Floats]:
    """Log-likelihood (...) and its gradient (..., 2K − 1) at meta-d' and the log-increments of both sides' criteria.

    `counts` are (..., 2, 2K) without empty cells, `relative` (...) is c'.
    """
    k = counts.shape[-1] // 2
    value, steps = parameters[..., 0], (parameters[..., 1:k], parameters[..., k:])
    # The comply side is the refuse side seen in a mirror: means and criterion change sign.
    refuse = _side(counts[..., k:], 1.0, value, relative, steps[0])
    comply = _side(counts[..., :k][..., ::-1], -1.0, value, relative, steps[1])
    by_value = (refuse.by_value + comply.by_value)[..., None]
    return refuse.value + comply.value, np.concatenate([by_value, refuse.by_step, comply.by_step], axis=-1)


def _maximise(counts: Floats, d_prime: float, criterion: float) -> tuple[float, bool]:
    relative = np.asarray(criterion / d_prime)

    def negative(parameters: Floats) -> tuple[float, Floats]:
        value, gradient = log_likelihood(parameters, counts, relative)
        return -float(value), -gradient

    def negative_value(parameters: Floats) -> float:
        return negative(parameters)[0]

    n_steps = counts.shape[1] - 2
    found = optimize.minimize(
        negative,
        start(np.asarray(d_prime), n_steps),
        jac=True,
        method="L-BFGS-B",
        bounds=list(zip(*bounds(n_steps), strict=True)),
        options={"ftol": 1e-15, "gtol": 1e-8, "maxiter": 2000},
    )
    if not found.success:
        polished = optimize.minimize(negative_value, found.x, method="Nelder-Mead", tol=1e-10)
        return float(polished.x[0]), bool(polished.success)
    return float(found.x[0]), True


def start(d_prime: Floats, n_steps: int) -> Floats:
    """Where the search starts: meta-d' = d', criteria half a standard deviation apart."""
    return np.concatenate([d_prime[..., None], np.full((*d_prime.shape, n_steps), np.log(0.5))], axis=-1)


def bounds(n_steps: int) -> tuple[Floats, Floats]:
    """Lowest and highest parameters."""
    return np.array([-10.0] + [-12.0] * n_steps), np.array([10.0] + [3.0] * n_steps)


class _Side(NamedTuple):
    value: Floats
    by_value: Floats
    by_step: Floats


def _side(counts: Floats, sign: float, value: Floats, relative: Floats, steps: Floats) -> _Side:
    """Log-likelihood of one response's ratings (..., 2 stimuli, K), with derivatives by meta-d' and log-increments."""
    growth = np.exp(steps)
    first = sign * relative * value
    edges = first[..., None] + np.concatenate([np.zeros((*growth.shape[:-1], 1)), np.cumsum(growth, axis=-1)], axis=-1)
    shift = sign / 2 * np.array([-1.0, 1.0])
    z = edges[..., None, :] - (value[..., None] * shift)[..., None]
    above = special.ndtr(-z)
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    p = above.copy()
    p[..., :-1] -= above[..., 1:]
    p = np.maximum(p, FLOOR)
    tail = np.maximum(above[..., 0], FLOOR)
    likelihood = (counts * np.log(p / tail[..., None])).sum(axis=(-2, -1))
    weight = counts / p
    by_z = -weight * density
    by_z[..., 1:] += weight[..., :-1] * density[..., 1:]
    by_z[..., 0] += counts.sum(axis=-1) * density[..., 0] / tail
    by_edge = by_z.sum(axis=-2)
    by_value = by_edge.sum(axis=-1) * sign * relative - by_z.sum(axis=-1) @ shift
    by_step = growth * np.cumsum(by_edge[..., ::-1], axis=-1)[..., ::-1][..., 1:]
    return _Side(likelihood, by_value, by_step)
