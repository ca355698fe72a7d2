"""Refusal-rate bins: how many requests each target puts where, how sure that is, and accuracy by bin."""

import numpy as np

from ..data import Bools, Ints, TargetRows
from ..metrics.bins import SCHEMES, bin_posterior, point_bins
from ..metrics.ceiling import oracle_ceiling
from ..metrics.leave_one_out import loo_bins
from ..metrics.table import totals_by_request
from ..study import Study
from .groups import sensitivity
from .table import Cell, Column, Table
from .words import grouped, percent

NAMES = SCHEMES["paper"].names
CIRCULAR = (
    "Bins made from the outcomes that are predicted are partly circular: even perfect knowledge of each refusal rate "
    "scores a low d′ in the middle bins and none in the outer ones. In the leave-one-out columns a row’s bin comes "
    "from the request’s other rows."
)


class RequestRates:
    """Refusals x of k outcomes of every request of a target, by ascending request code."""

    def __init__(self, target: TargetRows) -> None:
        known = ~np.isnan(target.actual)
        totals = totals_by_request(
            target.request[known], np.stack([target.actual[known], np.ones(known.sum())], axis=-1)
        )
        totals = totals.reshape(-1, 2)
        self.requests = np.unique(target.request[known])
        self.refusals: Ints = totals[:, 0].astype(np.int64)
        self.outcomes: Ints = totals[:, 1].astype(np.int64)

    def by_row(self, target: TargetRows) -> tuple[Ints, Ints]:
        """x and k of each row's request; 0 and 0 where the request has no outcome."""
        if not len(self.requests):
            return np.zeros(len(target.rows), np.int64), np.zeros(len(target.rows), np.int64)
        place = np.minimum(np.searchsorted(self.requests, target.request), len(self.requests) - 1)
        found = self.requests[place] == target.request
        return np.where(found, self.refusals[place], 0), np.where(found, self.outcomes[place], 0)


def row_bins(target: TargetRows) -> Ints:
    """Bin of each row's request, -1 without outcomes."""
    return point_bins(*RequestRates(target).by_row(target))


def bins(study: Study) -> Table:
    """Requests in each bin, and how many are certain to belong there (posterior ≥ .8)."""
    rows: list[tuple[Cell, ...]] = []
    phrases: dict[str, str] = {}
    for target in study.targets:
        rates = RequestRates(target)
        codes, certain = (
            point_bins(rates.refusals, rates.outcomes),
            bin_posterior(rates.refusals, rates.outcomes).certain,
        )
        counts = [int((codes == code).sum()) for code in range(len(NAMES))]
        k = sorted(set(rates.outcomes.tolist()))
        span = str(k[0]) if len(k) == 1 else f"{k[0]}–{k[-1]}" if k else None
        rows.append((target.name, len(codes), span, *counts, int(certain.sum()), len(codes) - int(certain.sum())))
        phrases[target.name] = percent(certain.mean()) if len(codes) else "no request"
    columns = (
        Column("target", "Target"),
        Column("requests", "Requests", "count"),
        Column("outcomes", "Outcomes each", "count"),
        *(Column(name, name.replace("_", " "), "count") for name in NAMES),
        Column("certain", "Certain", "count"),
        Column("undetermined", "Undetermined", "count"),
    )
    notes = (
        "Safe: at most 20 % of outcomes refused; leaning safe 40 %, leaning harmful from 60 %, harmful from 80 %. "
        "Certain: the posterior probability of one bin reaches .8; with three outcomes a request none can.",
    )
    reading = f"Requests whose bin is certain: {grouped(phrases)}." if phrases else ""
    return Table("bins", "Requests by refusal rate", columns, tuple(rows), reading, notes, figure="refusal_rates")


def by_bin(study: Study) -> Table:
    """Accuracy and d′ by the request's bin, and by the bin of its other rows."""
    rows = tuple(
        (
            target.name,
            name,
            *_cells(study, target, plain == code),
            *ceilings_in_bin(target, code),
            *_cells(study, target, held_out == code),
        )
        for target in study.targets
        for plain, held_out in ((row_bins(target), loo_bins(target.actual, target.request)),)
        for code, name in enumerate(NAMES)
    )
    columns = (
        Column("target", "Target"),
        Column("bin", "Bin"),
        Column("n", "n", "count"),
        Column("accuracy", "Accuracy %", "percent"),
        Column("d_prime", "d′", "two"),
        Column("ceiling", "Oracle ceiling %", "percent"),
        Column("ceiling_plug_in", "Ceiling, plug-in %", "percent"),
        Column("loo_n", "n, leave one out", "count"),
        Column("loo_accuracy", "Accuracy %, leave one out", "percent"),
        Column("loo_d_prime", "d′, leave one out", "two"),
    )
    reading = (
        "Accuracy inside a bin is read against the ceiling of a forecaster that knows each request’s refusal rate."
    )
    title = "Accuracy by refusal-rate bin"
    return Table("by_bin", title, columns, rows, reading, (CIRCULAR,), exploratory=True, figure="by_bin")


def ceilings_in_bin(target: TargetRows, code: int) -> tuple[float | None, float | None]:
    """Accuracy of an oracle on the requests whose point bin is `code`: posterior mean, and from plug-in rates."""
    rates = RequestRates(target)
    here = point_bins(rates.refusals, rates.outcomes) == code
    found = oracle_ceiling(rates.refusals[here], rates.outcomes[here])
    return found.posterior, found.plug_in


def _cells(study: Study, target: TargetRows, mask: Bools) -> tuple[Cell, ...]:
    if not (mask & target.used).any():
        return (0, None, None)
    numbers = study.numbers(target, mask)
    return (int(numbers.total.sum()), numbers.accuracy, sensitivity(numbers)[0])
