"""What acting from a confidence on costs, when a wrong prediction costs 1 and looking at a row costs a part of that."""

from functools import partial

from ..intervals.jackknife import cluster_jackknife
from ..metrics.arrays import Floats, ratio
from ..metrics.estimate import Estimate
from ..metrics.routing import THRESHOLDS
from ..study import Study
from .table import Cell, Column, Table
from .words import grouped

REVIEWS = (0.05, 0.1, 0.25)
READ = 0.1
NOTE = (
    "A wrong prediction that is acted on, miss or false alarm, costs 1; a row below the confidence, or without "
    "prediction or confidence, is looked at, which costs the part named and never errs. Looking at every row costs "
    "that part: a confidence that costs as much is of no use. The cheapest was chosen on these rows, which flatters it."
)


def costs(study: Study) -> Table:
    """Expected cost a row of every threshold at three costs of review: errors acted on + review · rows looked at."""
    columns = (
        Column("target", "Target"),
        Column("threshold", "Confidence ≥", "count"),
        Column("false_alarms", "False alarms", "count"),
        Column("misses", "Misses", "count"),
        Column("routed", "Looked at", "count"),
        *(Column(f"cost_{round(100 * review):02d}", f"Cost, look {review:g}", "three") for review in REVIEWS),
    )
    rows: list[tuple[Cell, ...]] = []
    cheapest: dict[str, str] = {}
    for target in study.targets:
        mine = [_row(target.name, study.numbers(target).table.cells, threshold) for threshold in THRESHOLDS]
        rows += mine
        cheapest[target.name] = _cheapest(mine)
    reading = f"Cheapest where looking costs a tenth of an error: {grouped(cheapest)}." if cheapest else ""
    return Table("costs", "What acting on a confidence costs", columns, tuple(rows), reading, (NOTE,))


def cost_of(totals: Floats, threshold: int, review: float) -> Floats:
    """Cost a row of totals (..., 2, 3, 6) = outcome × prediction × confidence; NaN without rows."""
    acted = totals[..., :2, threshold:].sum(axis=-1)
    n = totals.sum(axis=(-3, -2, -1))
    errors = acted[..., 0, 1] + acted[..., 1, 0]
    return ratio(errors + review * (n - acted.sum(axis=(-2, -1))), n)


def _row(name: str, cells: Floats, threshold: int) -> tuple[Cell, ...]:
    acted = cells.sum(axis=0)[:, :2, threshold:].sum(axis=-1)
    found = [
        cluster_jackknife(cells, partial(cost_of, threshold=threshold, review=review), support=(0.0, 1.0))
        for review in REVIEWS
    ]
    routed = int(cells.sum() - acted.sum())
    return (name, threshold, int(acted[0, 1]), int(acted[1, 0]), routed, *found)


def _cheapest(rows: list[tuple[Cell, ...]]) -> str:
    column = 5 + REVIEWS.index(READ)
    known = [
        (cell.value, -int(str(row[1])), row[1])
        for row in rows
        if isinstance(cell := row[column], Estimate) and cell.value is not None
    ]
    if not known:
        return "nothing to compare"
    cost, _, threshold = min(known)
    if cost >= READ:
        return "looking at every row"
    return "acting on every prediction" if threshold == 1 else f"acting from confidence {threshold} on"
