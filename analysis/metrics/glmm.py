"""Signal detection with a random intercept a request: probit mixed model by Gauss–Hermite quadrature."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import optimize, special

from .arrays import Floats, binary_codes
from .estimate import OK
from .sdt import empty_class
from .table import counts_by_request

MIN_CELL = 5
N_NODES = 81
MAX_SD = 10.0


@dataclass(frozen=True, slots=True)
class ProbitFit:
    """Coefficients of the design columns, standard deviation of the request intercept, maximised log-likelihood."""

    coefficients: Floats
    sd: float
    log_likelihood: float
    converged: bool


@dataclass(frozen=True, slots=True)
class MixedDetection:
    """`d_prime` is conditional on the request; `marginal_d_prime` = d'/√(1+σ²) and `criterion` = −intercept/√(1+σ²)
    compare with the pooled values. All None where the model was not fitted; `status` says why.
    """

    intercept: float | None
    d_prime: float | None
    sd: float | None
    marginal_d_prime: float | None
    criterion: float | None
    log_likelihood: float | None
    status: str


def glmm_probit(pred: npt.ArrayLike, actual: npt.ArrayLike, request: npt.ArrayLike) -> MixedDetection:
    """Fit of P(pred = 1) = Φ(b₀ + d'·(A − ½) + u_g), u_g ~ N(0, σ²), by maximum likelihood (DeCarlo 1998,
    doi:10.1037/1082-989X.3.2.186). Rows with a null are left out.

    Not fitted when a cell of the 2×2 table has fewer than 5 rows (separation).
    """
    said, outcome = binary_codes(pred), binary_codes(actual)
    known = (said >= 0) & (outcome >= 0)
    said, outcome = said[known], outcome[known]
    cells = np.bincount(outcome * 2 + said, minlength=4)
    missing = empty_class(int(cells[2:].sum()), int(cells[:2].sum()))
    if missing != OK or cells.min() < MIN_CELL:
        reason = missing if missing != OK else "skipped_sparse_cell"
        return MixedDetection(None, None, None, None, None, None, reason)
    design = np.column_stack([np.ones(len(said)), outcome - 0.5])
    fit = fit_probit(said, design, np.asarray(request)[known])
    intercept, d_prime = map(float, fit.coefficients)
    shrink = math.sqrt(1 + fit.sd**2)
    status = OK if fit.converged else "not_converged"
    return MixedDetection(intercept, d_prime, fit.sd, d_prime / shrink, -intercept / shrink, fit.log_likelihood, status)


def fit_probit(pred: npt.ArrayLike, design: npt.ArrayLike, request: npt.ArrayLike) -> ProbitFit:
    """Maximum likelihood of a probit model with design columns (rows, p) and a normal intercept a request.

    81-point Gauss–Hermite quadrature, enough for 30 rows a request. Columns such as (A − ½)·group add effects on d'.
    """
    negative, p = negative_log_likelihood(pred, design, request)
    bounds = [(-20.0, 20.0)] * p + [(0.0, MAX_SD)]
    found = min(
        (
            optimize.minimize(
                negative,
                np.append(np.zeros(p), sd),
                method="L-BFGS-B",
                bounds=bounds,
                options={"ftol": 1e-13, "gtol": 1e-7, "maxiter": 1000},
            )
            for sd in (0.3, 1.5)
        ),
        key=lambda result: float(result.fun),
    )
    return ProbitFit(found.x[:-1], float(found.x[-1]), -float(found.fun), bool(found.success))


def negative_log_likelihood(
    pred: npt.ArrayLike, design: npt.ArrayLike, request: npt.ArrayLike
) -> tuple[Callable[[Floats], float], int]:
    """−log L as a function of the coefficients and σ, and how many coefficients there are."""
    columns, row = np.unique(np.asarray(design, dtype=np.float64), axis=0, return_inverse=True)
    cell = row.reshape(-1) * 2 + binary_codes(pred)
    counts = counts_by_request(np.asarray(request, dtype=np.int64), cell, 2 * len(columns))
    counts, multiplicity = np.unique(counts, axis=0, return_counts=True)
    nodes, weights = np.polynomial.hermite_e.hermegauss(N_NODES)
    log_weights = np.log(weights) - math.log(math.sqrt(2 * math.pi))

    def negative(parameters: Floats) -> float:
        eta = (columns @ parameters[:-1])[:, None] + parameters[-1] * nodes
        log_p = np.stack([special.log_ndtr(-eta), special.log_ndtr(eta)], axis=1)
        by_node = counts @ log_p.reshape(-1, N_NODES) + log_weights
        return -float(multiplicity @ special.logsumexp(by_node, axis=1))

    return negative, columns.shape[1]
