"""d′ and c again without two assumptions: that a request's rows are independent, that both classes spread alike."""

from ..data import TargetRows
from ..intervals.profile import mixed_estimates
from ..metrics.estimate import OK, Estimate
from ..metrics.table import signed_rating_cells
from ..metrics.zroc import zroc
from ..study import Study
from .statuses import meaning
from .table import Cell, Column, Table
from .words import grouped

TOLERATED = 0.1
NOTES = (
    "Mixed model: probit with a random intercept a request (σ its standard deviation, 0 where rows of a request hang "
    "together no more than others); its d′ and c are marginal, so that they compare with the pooled ones, and their "
    "intervals are those of the profile likelihood.",
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
    numbers, mixed = study.numbers(target), mixed_estimates(target.pred, target.actual, target.request)
    slope = zroc(*signed_rating_cells(numbers.table.cells).sum(axis=0))
    return (
        target.name,
        numbers.d_prime,
        _known(mixed.d_prime),
        numbers.criterion,
        _known(mixed.criterion),
        mixed.sd,
        slope.slope,
        slope.d_a,
        "; ".join(dict.fromkeys(meaning(status) for status in (mixed.status, slope.status) if status != OK)),
    )


def _known(found: Estimate) -> Estimate | None:
    return None if found.value is None else found


def _verdict(pooled: Cell, mixed: Cell) -> str:
    values = [cell.value for cell in (pooled, mixed) if isinstance(cell, Estimate) and cell.value is not None]
    if len(values) < 2:
        return "not fitted"
    apart = values[1] - values[0]
    return f"within {TOLERATED}" if abs(apart) <= TOLERATED else f"{apart:+.2f}".replace("-", "−")
