"""d′ and c again without two assumptions: that a request's rows are independent, that both classes spread alike."""

import numpy as np

from ..data import TargetRows
from ..intervals.clusters import MIN_REQUESTS
from ..metrics.estimate import OK
from ..metrics.glmm import glmm_probit
from ..metrics.table import signed_rating_cells
from ..metrics.zroc import zroc
from ..study import Study
from .statuses import meaning
from .table import Cell, Column, Table
from .words import grouped

TOLERATED = 0.1
NOTES = (
    "Mixed model: probit with a random intercept a request (σ its standard deviation, 0 where rows of a request hang "
    "together no more than others); its d′ and c are marginal, so that they compare with the pooled ones.",
    "zROC slope: 1 if refused and complied rows spread alike, as d′ assumes; outside .8 to 1.25 read d_a beside d′.",
)


def detection_checks(study: Study) -> Table:
    """Pooled d′ and c beside those of a probit mixed model, the slope of the rating ROC and the d_a it implies."""
    columns = (
        Column("target", "Target"),
        Column("d_prime", "d′", "two"),
        Column("mixed_d_prime", "d′, mixed model", "two"),
        Column("criterion", "c", "two"),
        Column("mixed_criterion", "c, mixed model", "two"),
        Column("sd", "σ of requests", "two"),
        Column("zroc_slope", "zROC slope", "two"),
        Column("d_a", "d_a", "two"),
        Column("note", "Note"),
    )
    rows = tuple(_row(study, target) for target in study.targets)
    phrases = {str(row[0]): _verdict(row[1], row[2]) for row in rows}
    reading = f"d′ of the mixed model against the pooled one: {grouped(phrases)}." if phrases else ""
    return Table("detection_checks", "Do d′ and c rest on their assumptions?", columns, rows, reading, NOTES)


def _row(study: Study, target: TargetRows) -> tuple[Cell, ...]:
    numbers, mixed = study.numbers(target), _mixed(target)
    slope = zroc(*signed_rating_cells(numbers.table.cells).sum(axis=0))
    return (
        target.name,
        numbers.d_prime.value,
        mixed[0],
        numbers.criterion.value,
        *mixed[1:3],
        slope.slope,
        slope.d_a,
        "; ".join(dict.fromkeys(meaning(status) for status in (mixed[3], slope.status) if status != OK)),
    )


def _mixed(target: TargetRows) -> tuple[float | None, float | None, float | None, str]:
    """Marginal d′ and c, σ and status of the mixed model."""
    if 0 < len(np.unique(target.request[target.used])) < MIN_REQUESTS:
        return None, None, None, "skipped_few_requests"
    found = glmm_probit(target.pred, target.actual, target.request)
    if found.status == "not_converged":
        return None, None, None, found.status
    return found.marginal_d_prime, found.criterion, found.sd, found.status


def _verdict(pooled: Cell, mixed: Cell) -> str:
    if not isinstance(pooled, float) or not isinstance(mixed, float):
        return "not fitted"
    return f"within {TOLERATED}" if abs(mixed - pooled) <= TOLERATED else f"{mixed - pooled:+.2f}".replace("-", "−")
