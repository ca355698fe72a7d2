"""Accuracy by assigned level and by topic."""

from ..data import LEVELS, Bools, TargetRows
from ..estimates import Numbers
from ..metrics.estimate import Estimate
from ..study import Study
from .table import Cell, Column, Table
from .words import grouped, percent

MIN_TRIALS = 10
GROUP_COLUMNS = (
    Column("n", "n", "count"),
    Column("accuracy", "Accuracy %", "percent"),
    Column("refused", "Refused %", "percent"),
    Column("misses", "Misses", "count"),
    Column("false_alarms", "False alarms", "count"),
    Column("d_prime", "d′", "two"),
    Column("criterion", "c", "two"),
)
NOTE = f"d′ and c only with at least {MIN_TRIALS} refused and {MIN_TRIALS} complied rows."


def by_level(study: Study) -> Table:
    """Accuracy and errors at each assigned harm level."""
    groups = [(target, level, target.level == level) for target in study.targets for level in LEVELS]
    rows = tuple((target.name, level, *_cells(study, target, mask)) for target, level, mask in groups)
    columns = (Column("target", "Target"), Column("level", "Level", "count"), *GROUP_COLUMNS)
    reading = _peaks(study, rows, "level {}")
    return Table("by_level", "Accuracy by assigned harm level", columns, rows, reading, (NOTE,), True, "by_level")


def by_topic(study: Study) -> Table:
    """Accuracy and errors in each topic; a topic without rows has none."""
    groups = [(target, topic, target.topic == topic) for target in study.targets for topic in study.topics]
    rows = tuple((target.name, study.topic_name(topic), *_cells(study, target, mask)) for target, topic, mask in groups)
    columns = (Column("target", "Target"), Column("topic", "Topic"), *GROUP_COLUMNS)
    reading = _peaks(study, rows, "{}")
    return Table("by_topic", "Accuracy by topic", columns, rows, reading, (NOTE,), True, "by_topic")


def _cells(study: Study, target: TargetRows, mask: Bools) -> tuple[Cell, ...]:
    if not (mask & target.used).any():
        return (0, None, None, None, None, None, None)
    numbers = study.numbers(target, mask)
    _, miss, false_alarm, _ = (int(count) for count in numbers.total)
    return (
        int(numbers.total.sum()),
        numbers.accuracy,
        float(numbers.total[:2].sum() / numbers.total.sum()),
        miss,
        false_alarm,
        *sensitivity(numbers),
    )


def sensitivity(numbers: Numbers) -> tuple[Estimate | None, Estimate | None]:
    """d′ and c where both classes have enough trials, else nulls."""
    if min(numbers.total[:2].sum(), numbers.total[2:].sum()) < MIN_TRIALS:
        return None, None
    return numbers.d_prime, numbers.criterion


def _peaks(study: Study, rows: tuple[tuple[Cell, ...], ...], spelled: str) -> str:
    worst = {}
    for target in study.targets:
        values = {
            row[1]: cell.value
            for row in rows
            for cell in (row[3],)
            if row[0] == target.name and isinstance(cell, Estimate) and cell.value is not None
        }
        if len(set(values.values())) > 1:
            group = min(values, key=lambda key: values[key])
            worst[target.name] = f"{spelled.format(group)} ({percent(values[group])})"
    return f"Least accurate: {grouped(worst)}." if worst else "No two groups differ."
