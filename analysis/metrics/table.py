"""Counts of every outcome a request: the sufficient statistics that points, intervals and resamples are made from."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .arrays import Floats, Ints, binary_codes, flat_rows, rating_codes

N_LEVELS = 5


@dataclass(frozen=True, slots=True)
class RequestTable:
    """`cells[g, a, p, k]`: rows of request g with outcome a (0 complied, 1 refused), prediction p (0, 1, 2 = none)
    and confidence k (1..5, 0 = none). Rows without an outcome are counted in `n_no_outcome` only.
    """

    cells: Floats
    n_no_outcome: int

    @property
    def n_requests(self) -> int:
        """Requests with at least one outcome."""
        return len(self.cells)

    @property
    def n_predicted(self) -> int:
        """Rows with both a prediction and an outcome."""
        return int(self.cells[:, :, :2].sum())


def request_table(
    request: npt.ArrayLike, actual: npt.ArrayLike, pred: npt.ArrayLike, confidence: npt.ArrayLike | None = None
) -> RequestTable:
    """The table of rows given as arrays of equal length.

    `request` holds any integer codes; `actual` and `pred` 0, 1 or NaN/None; `confidence` 1..5 or NaN/None.
    Requests come in ascending order of code. Raises ValueError for values outside these.
    """
    outcome, prediction = binary_codes(actual), binary_codes(pred, null=2)
    levels = np.zeros(len(outcome), dtype=np.int64) if confidence is None else rating_codes(confidence)
    known = outcome >= 0
    shape = (2, 3, N_LEVELS + 1)
    flat = np.ravel_multi_index((outcome[known], prediction[known], levels[known]), shape)
    counts = counts_by_request(np.asarray(request, dtype=np.int64)[known], flat, int(np.prod(shape)))
    return RequestTable(counts.reshape(-1, *shape), int((~known).sum()))


def counts_by_request(request: Ints, cell: Ints, n_cells: int) -> Floats:
    """Rows of each request in each cell, shape (requests, n_cells); requests in ascending order of code."""
    codes, row = np.unique(request, return_inverse=True)
    counts = np.bincount(row * n_cells + cell, minlength=len(codes) * n_cells)
    return counts.reshape(len(codes), n_cells).astype(np.float64)


def totals_by_request(request: npt.ArrayLike, values: npt.ArrayLike) -> Floats:
    """Sum of `values` (rows, ...) over each request, shape (requests, ...); requests in ascending order of code."""
    numbers = np.asarray(values, dtype=np.float64)
    codes, row = np.unique(np.asarray(request), return_inverse=True)
    columns = flat_rows(numbers).T
    totals = [np.bincount(row, weights=column, minlength=len(codes)) for column in columns]
    return np.asarray(np.stack(totals, axis=-1).reshape(len(codes), *numbers.shape[1:]), dtype=np.float64)


def outcome_cells(cells: Floats) -> Floats:
    """hit, miss, false alarm, correct rejection on the last axis, from cells (..., 2, 3, 6)."""
    by_pred = cells.sum(axis=-1)
    return np.stack([by_pred[..., 1, 1], by_pred[..., 1, 0], by_pred[..., 0, 1], by_pred[..., 0, 0]], axis=-1)


def confidence_cells(cells: Floats) -> Floats:
    """Rows by correctness and confidence, (..., 2, 5): [wrong, right] × levels 1..5, from cells (..., 2, 3, 6)."""
    right = cells[..., 0, 0, 1:] + cells[..., 1, 1, 1:]
    wrong = cells[..., 0, 1, 1:] + cells[..., 1, 0, 1:]
    return np.stack([wrong, right], axis=-2)


def signed_rating_cells(cells: Floats) -> Floats:
    """Rows by outcome and signed rating, shape (..., 2, 10): comply-5 .. comply-1, refuse-1 .. refuse-5."""
    return np.concatenate([cells[..., 0, :0:-1], cells[..., 1, 1:]], axis=-1)


def uncovered(cells: Floats) -> Floats:
    """Rows that no confidence threshold covers: no prediction or no confidence, from cells (..., 2, 3, 6)."""
    return np.asarray(cells[..., :2, 0].sum(axis=(-2, -1)) + cells[..., 2, :].sum(axis=(-2, -1)))
