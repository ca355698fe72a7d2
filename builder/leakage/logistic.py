"""Multinomial logistic regression with a ridge penalty: the surface model of the leakage checks."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.special import log_softmax, softmax

STRENGTH = 10.0


class Logistic(NamedTuple):
    """Weights (feature × class) and intercepts (class)."""

    weights: NDArray[np.float64]
    intercepts: NDArray[np.float64]

    def predict(self, rows: csr_array) -> NDArray[np.int64]:
        """The most probable class of each row; the first of equals."""
        return np.asarray((rows @ self.weights + self.intercepts).argmax(axis=1), dtype=np.int64)


def fit_logistic(rows: csr_array, classes: NDArray[np.int64], n_classes: int, strength: float = STRENGTH) -> Logistic:
    """The minimum of ½‖W‖² − C Σᵢ vᵢ log p(classᵢ), found by L-BFGS from zero.

    `strength` is C; vᵢ = n / (K · n of the class), so that every class weighs the same. Intercepts are not penalised.
    """
    n, d = rows.shape
    share = np.bincount(classes, minlength=n_classes)
    balance = strength * n / (n_classes * share[classes])
    target = np.eye(n_classes)[classes]

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights, intercepts = flat[: d * n_classes].reshape(d, n_classes), flat[d * n_classes :]
        scores = rows @ weights + intercepts
        value = 0.5 * float((weights**2).sum()) - float(balance @ (log_softmax(scores, axis=1) * target).sum(axis=1))
        residual = (softmax(scores, axis=1) - target) * balance[:, np.newaxis]
        gradient = np.concatenate([(rows.T @ residual + weights).ravel(), residual.sum(axis=0)])
        return value, gradient

    start = np.zeros((d + 1) * n_classes)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500, "ftol": 1e-7, "gtol": 1e-3})
    return Logistic(found.x[: d * n_classes].reshape(d, n_classes), found.x[d * n_classes :])
