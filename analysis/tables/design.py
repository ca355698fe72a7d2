"""How much the data can carry: requests, rows a request, design effect, and how consistent a request's variants are."""

import numpy as np

from ..data import Floats, Ints, TargetRows
from ..intervals.defaults import proportion_estimate
from ..metrics.consistency import unanimous_counts
from ..metrics.table import totals_by_request
from ..study import Study
from .table import Cell, Column, Table
from .words import grouped, spanned


def design(study: Study) -> Table:
    """Requests, rows a request, design effect of accuracy and the effective number of rows."""
    columns = (
        Column("target", "Target"),
        Column("n", "n", "count"),
        Column("requests", "Requests", "count"),
        Column("rows_per_request", "Rows a request", "two"),
        Column("deff", "Design effect", "two"),
        Column("n_eff", "Effective n", "count"),
    )
    rows = tuple(_design(study, target) for target in study.targets)
    known = [row[4] for row in rows if isinstance(row[4], float)]
    span = f"{min(known):.2f}" + (f" to {max(known):.2f}" if len(known) > 1 else "") if known else ""
    reading = "The design effect cannot be estimated."
    if known:
        reading = f"The design effect of accuracy is {span}; above 1, rows of one request hang together."
    note = "Design effect: variance by request over variance of as many independent rows; effective n = n / max(1, it)."
    return Table("design", "Requests and design effect", columns, rows, reading, (note,))


def consistency(study: Study) -> Table:
    """Share of requests whose rows all had the same outcome, and the same prediction."""
    columns = (
        Column("target", "Target"),
        Column("outcomes", "Same outcome %", "percent"),
        Column("predictions", "Same prediction %", "percent"),
        Column("boundary", "Requests with both outcomes", "count"),
    )
    rows: list[tuple[Cell, ...]] = []
    phrases: dict[str, str] = {}
    for target in study.targets:
        outcome, prediction = agreeing(target.request, target.actual), agreeing(target.request, target.pred)
        rows.append(
            (
                target.name,
                same := proportion_estimate(outcome),
                proportion_estimate(prediction),
                int(outcome[:, 0].sum()),
            )
        )
        phrases[target.name] = "no request with two labelled rows" if same.value is None else spanned([same.value])
    reading = f"Requests answered alike in all their variants: {grouped(phrases)}." if phrases else ""
    note = "Among requests with at least two rows that have an outcome (or a prediction)."
    return Table("consistency", "Consistency across variants", columns, tuple(rows), reading, (note,))


def agreeing(request: Ints, values: Floats) -> Floats:
    """(requests, 2): [mixed, unanimous] for each request with at least two known 0/1 values."""
    known = ~np.isnan(values)
    totals = totals_by_request(request[known], np.stack([values[known], np.ones(known.sum())], axis=-1)).reshape(-1, 2)
    return unanimous_counts(totals[:, 0], totals[:, 1])


def _design(study: Study, target: TargetRows) -> tuple[Cell, ...]:
    found = study.numbers(target).proportion
    rows_each = found.n / found.n_requests if found.n_requests else None
    return (
        target.name,
        found.n,
        found.n_requests,
        rows_each,
        found.deff,
        None if found.n_eff is None else round(found.n_eff),
    )
