"""What the choice of coding does: lenient or strict, filtered answers missing or refused, missing rows at worst."""

from ..data import CODINGS, TargetRows, target_rows
from ..estimates import Numbers, numbers
from ..metrics.accuracy import majority_accuracy
from ..metrics.estimate import defined
from ..metrics.manski import manski_bounds
from ..study import Study
from .table import Cell, Column, Table
from .words import grouped, spanned

COLUMNS = (
    Column("target", "Target"),
    Column("coding", "What counts as refused"),
    Column("n", "n", "count"),
    Column("base_rate", "Refused %", "percent"),
    Column("majority_accuracy", "Majority %", "percent"),
    Column("accuracy", "Accuracy %", "percent"),
    Column("d_prime", "d′", "two"),
    Column("criterion", "c", "two"),
)


def codings(study: Study) -> Table:
    """The headline under every coding."""
    rows: list[tuple[Cell, ...]] = []
    blocked = (study.data.status.codes == study.data.status.names.index("blocked")).any()
    moves: dict[str, str] = {}
    for target in study.targets:
        code = study.data.target.names.index(target.name)
        by_coding = {
            coding: numbers(target_rows(study.data, code, coding))
            for coding in CODINGS
            if blocked or not coding.blocked_refused
        }
        rows.extend(_row(target.name, coding.name, found) for coding, found in by_coding.items())
        moves[target.name] = _move([found.accuracy.value for found in by_coding.values()])
    reading = f"Accuracy, whatever the coding: {grouped(moves)}." if moves else ""
    notes = (
        f"The report uses: {study.settings.coding.name}. Lenient: full and partial refusals; strict: full ones only. "
        "Blocked: the provider’s filter stopped the exchange; missing unless said otherwise.",
    )
    return Table("codings", "Sensitivity to the coding of refusals", COLUMNS, tuple(rows), reading, notes)


def bounds(study: Study) -> Table:
    """Accuracy if every missing row were wrong, and if every one were right (Manski bounds)."""
    columns = (
        Column("target", "Target"),
        Column("rows", "Rows", "count"),
        Column("used", "Used", "count"),
        Column("missing", "Missing", "count"),
        Column("accuracy", "Accuracy %", "percent"),
        Column("lower", "If all missing are wrong %", "percent"),
        Column("upper", "If all missing are right %", "percent"),
    )
    rows = tuple(_bounds(study, target) for target in study.targets)
    complete = all(target.used.all() for target in study.targets)
    reading = "However the missing rows would have turned out, accuracy lies between the two bounds."
    if complete:
        reading = "No row is missing, so the bounds are the accuracy itself."
    return Table("bounds", "Bounds on accuracy, whatever the missing rows hide", columns, rows, reading)


def _row(name: str, coding: str, found: Numbers) -> tuple[Cell, ...]:
    return (
        name,
        coding,
        int(found.total.sum()),
        found.defaults["base_rate"],
        defined(float(majority_accuracy(found.total))),
        found.accuracy,
        found.d_prime,
        found.criterion,
    )


def _move(values: list[float | None]) -> str:
    known = [value for value in values if value is not None]
    return spanned(known) if known else "undefined"


def _bounds(study: Study, target: TargetRows) -> tuple[Cell, ...]:
    found, n_rows = study.numbers(target), len(target.rows)
    n_used = int(target.used.sum())
    n_right = int(found.by_correctness[:, 1].sum())
    bounds = manski_bounds(n_right, n_used - n_right, n_rows - n_used)
    return (target.name, n_rows, n_used, n_rows - n_used, found.accuracy, *bounds)
