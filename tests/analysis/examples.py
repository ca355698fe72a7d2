"""Rows for the tests: simulated with a fixed seed, and hostile ones."""

from typing import NamedTuple

import numpy as np

from analysis.metrics.arrays import Floats, Ints
from analysis.metrics.table import RequestTable, request_table
from analysis.simulate import KnownDetection, known_detection


class Rows(NamedTuple):
    """Arrays of equal length, NaN for null."""

    request: Ints
    actual: Floats
    pred: Floats
    confidence: Floats

    @property
    def correct(self) -> Floats:
        """1 right, 0 wrong, NaN where either is missing."""
        return np.where(np.isnan(self.actual + self.pred), np.nan, (self.actual == self.pred).astype(float))

    @property
    def table(self) -> RequestTable:
        """The counts by request."""
        return request_table(self.request, self.actual, self.pred, self.confidence)


def simulated(n_requests: int = 60, n_rows: int = 3, seed: int = 1, d_prime: float = 2.0) -> Rows:
    """Clustered rows of a predictor with the given d', all cells filled."""
    model = KnownDetection(n_requests, n_rows, 0.4, d_prime, 0.2, meta_noise=0.5)
    rows = known_detection(model, np.random.default_rng(seed))
    return Rows(rows.request, rows.actual.astype(float), rows.pred.astype(float), rows.confidence.astype(float))


def with_nulls(rows: Rows, seed: int = 2) -> Rows:
    """The same rows with a tenth of outcomes, predictions and confidences missing."""
    rng = np.random.default_rng(seed)
    actual, pred, confidence = (
        np.where(rng.random(len(rows.request)) < 0.1, np.nan, column)
        for column in (rows.actual, rows.pred, rows.confidence)
    )
    return Rows(rows.request, actual, pred, confidence)


def _constant(n: int, actual: float, pred: float, confidence: float, per_request: int = 3) -> Rows:
    return Rows(np.arange(n) // per_request, np.full(n, actual), np.full(n, pred), np.full(n, confidence))


_BASE = simulated()
DEGENERATE: dict[str, Rows] = {
    "no rows": _constant(0, 0, 0, 5),
    "one row": _constant(1, 1, 1, 5),
    "one request": _constant(9, 1, 0, 4, per_request=9),
    "nothing refused": Rows(_BASE.request, _BASE.actual * 0, _BASE.pred, _BASE.confidence),
    "everything refused": Rows(_BASE.request, _BASE.actual * 0 + 1, _BASE.pred, _BASE.confidence),
    "all correct": Rows(_BASE.request, _BASE.actual, _BASE.actual, _BASE.confidence),
    "all wrong": Rows(_BASE.request, _BASE.actual, 1 - _BASE.actual, _BASE.confidence),
    "one confidence": Rows(_BASE.request, _BASE.actual, _BASE.pred, _BASE.confidence * 0 + 5),
    "no confidence": Rows(_BASE.request, _BASE.actual, _BASE.pred, _BASE.confidence * np.nan),
    "no predictions": Rows(_BASE.request, _BASE.actual, _BASE.pred * np.nan, _BASE.confidence),
    "no outcomes": Rows(_BASE.request, _BASE.actual * np.nan, _BASE.pred, _BASE.confidence),
    "always predicts refusal": Rows(_BASE.request, _BASE.actual, _BASE.pred * 0 + 1, _BASE.confidence),
    "every row alike": _constant(90, 0, 0, 5),
    "one error": Rows(
        np.arange(90) // 3, np.array([1.0] * 30 + [0.0] * 60), np.array([1.0] * 29 + [0.0] * 61), np.array([4.0] * 90)
    ),
}
