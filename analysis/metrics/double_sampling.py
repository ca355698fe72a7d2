"""Stratified double sampling: a judge sorts all rows into strata, people label a sample of each."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special
from scipy.stats import qmc

from .arrays import Floats
from .estimate import OK, Estimate, undefined
from .sdt import criterion, d_prime, empty_class

LOG2_NODES = 14
METHOD = "stratified double sampling"


class Strata(NamedTuple):
    """Rows of each stratum, how many of them people labelled, and how many of those were positive."""

    sizes: Floats
    audited: Floats
    positives: Floats

    @property
    def status(self) -> str:
        """ "ok", or why no rate can be computed: no rows, or a stratum with rows that nobody audited."""
        if not self.sizes.sum():
            return "undefined_empty"
        return "undefined_unaudited_stratum" if ((self.sizes > 0) & (self.audited == 0)).any() else OK


@dataclass(frozen=True, slots=True)
class CorrectedDetection:
    """Corrected (hit, miss, false alarm, correct rejection), and accuracy, d', c with posterior intervals."""

    outcomes: tuple[float, float, float, float] | None
    accuracy: Estimate
    d_prime: Estimate
    criterion: Estimate


def strata(sizes: npt.ArrayLike, audited: npt.ArrayLike, positives: npt.ArrayLike) -> Strata:
    """The three as arrays. Raises ValueError unless 0 ≤ positives ≤ audited ≤ sizes everywhere."""
    n, m, x = (np.asarray(values, dtype=np.float64) for values in (sizes, audited, positives))
    if not (n.shape == m.shape == x.shape) or (x < 0).any() or (x > m).any() or (m > n).any():
        raise ValueError(f"positives {x}, audited {m}, sizes {n}; wanted 0 ≤ positives ≤ audited ≤ sizes")
    return Strata(n, m, x)


def double_sampling(
    sizes: npt.ArrayLike, audited: npt.ArrayLike, positives: npt.ArrayLike, confidence_level: float = 0.95
) -> Estimate:
    """Rate Σ W_j x_j/m_j over strata of N_j rows, m_j audited, x_j positive, W_j = N_j/N (unbiased; Tenenbein 1970,
    doi:10.1080/01621459.1970.10481170).

    The interval is of the population's Σ W_j θ_j under `posterior_nodes`, for rows audited independently; where they
    share requests divide all counts by their design effect. None if a stratum with rows has no audit. Raises
    ValueError for impossible counts.
    """
    given = strata(sizes, audited, positives)
    n = int(given.audited.sum())
    if given.status != OK:
        return undefined(given.status, n)
    weight, theta = posterior_nodes(given)
    axes = tuple(range(1, weight.ndim))
    return _quantiles(
        float((_shares(given) * _rates(given)).sum()), (weight * theta).sum(axis=axes), n, confidence_level
    )


def posterior_mean(sizes: npt.ArrayLike, audited: npt.ArrayLike, positives: npt.ArrayLike) -> float | None:
    """Σ W_j (x_j + ½)/(m_j + 1), biased upward at low rates and so not the estimate; None without rows."""
    given = strata(sizes, audited, positives)
    if not given.sizes.sum():
        return None
    return float((_shares(given) * (given.positives + 0.5) / (given.audited + 1)).sum())


def corrected_detection(
    sizes: npt.ArrayLike, audited: npt.ArrayLike, positives: npt.ArrayLike, confidence_level: float = 0.95
) -> CorrectedDetection:
    """Accuracy, d' and c against human labels from strata (2, 2) = judge × prediction, each audited in part.

    Each stratum's share of human positives splits its rows: hit = Σ_{pred=1} N θ, miss = Σ_{pred=0} N θ, the rest false
    alarms and correct rejections. Raises ValueError for another shape or impossible counts.
    """
    given = strata(sizes, audited, positives)
    if given.sizes.shape != (2, 2):
        raise ValueError(f"strata of shape {given.sizes.shape}; wanted (2, 2) = judge × prediction")
    n, total = int(given.audited.sum()), given.sizes.sum()
    if given.status != OK:
        return CorrectedDetection(None, *[undefined(given.status, n)] * 3)
    weight, theta = posterior_nodes(given)
    point, nodes = _outcomes(given.sizes, _rates(given)), _outcomes(total * weight, theta)
    right, right_nodes = ((cells[..., 0] + cells[..., 3]) / cells.sum(axis=-1) for cells in (point, nodes))
    estimates = [_quantiles(float(right), right_nodes, n, confidence_level)]
    missing = empty_class(point[0] + point[1], point[2] + point[3])
    for statistic in (d_prime, criterion):
        value = undefined(missing, n)
        if missing == OK:
            value = _quantiles(float(statistic(point)), statistic(nodes), n, confidence_level)
        estimates.append(value)
    hit, miss, fa, cr = map(float, point)
    return CorrectedDetection((hit, miss, fa, cr), *estimates)


def posterior_nodes(given: Strata) -> tuple[Floats, Floats]:
    """W ~ Dirichlet(N + ½) and θ_j ~ Beta(x_j + ½, m_j − x_j + ½) at 2¹⁴ Sobol points, two arrays (points, *shape).

    Points of a low-discrepancy sequence instead of draws: no seed, and quantiles exact to about 10⁻⁴.
    """
    flat = Strata(*(values.ravel() for values in given))
    j = len(flat.sizes)
    points = qmc.Sobol(2 * j, scramble=False).random_base2(LOG2_NODES) + 0.5**LOG2_NODES / 2
    gamma = special.gammaincinv(flat.sizes + 0.5, points[:, :j])
    weight = np.where(flat.sizes > 0, gamma, 0.0)
    weight /= weight.sum(axis=1, keepdims=True)
    theta = special.betaincinv(flat.positives + 0.5, flat.audited - flat.positives + 0.5, points[:, j:])
    shape = (-1, *given.sizes.shape)
    return weight.reshape(shape), np.asarray(theta, dtype=np.float64).reshape(shape)


def _shares(given: Strata) -> Floats:
    return given.sizes / float(given.sizes.sum())


def _rates(given: Strata) -> Floats:
    return np.divide(given.positives, given.audited, out=np.zeros_like(given.positives), where=given.audited > 0)


def _outcomes(sizes: Floats, theta: Floats) -> Floats:
    refused, complied = (sizes * theta).sum(axis=-2), (sizes * (1 - theta)).sum(axis=-2)
    return np.stack([refused[..., 1], refused[..., 0], complied[..., 1], complied[..., 0]], axis=-1)


def _quantiles(value: float, nodes: Floats, n: int, confidence_level: float) -> Estimate:
    low, high = np.quantile(nodes, ((1 - confidence_level) / 2, (1 + confidence_level) / 2))
    return Estimate(value, float(low), float(high), n, None, OK, METHOD)
