"""Acting on confident predictions only: what is covered, what is right there, and what can be guaranteed."""

from ..estimates import Numbers
from ..intervals.defaults import THRESHOLDS
from ..metrics.routing import guaranteed_threshold
from ..study import Study
from .table import Cell, Column, Table
from .words import grouped, percent

RISKS = (0.01, 0.05, 0.1)


def selection(study: Study) -> Table:
    """Coverage, accuracy, errors passed and caught when acting only on predictions at or above a confidence."""
    rows = tuple(
        _selected(target.name, study.numbers(target), threshold) for target in study.targets for threshold in THRESHOLDS
    )
    columns = (
        Column("target", "Target"),
        Column("threshold", "Confidence ≥", "count"),
        Column("coverage", "Coverage %", "percent"),
        Column("accuracy", "Accuracy there %", "percent"),
        Column("errors_passed", "Errors let through", "count"),
        Column("errors_caught", "Errors caught %", "percent"),
        Column("gain", "Gain over all, points", "points"),
    )
    note = "Coverage counts every row with an outcome; a row without prediction or confidence is never covered."
    return Table(
        "selection",
        "Acting on confident predictions only",
        columns,
        rows,
        _routing(study),
        (note,),
        figure="risk_coverage",
    )


def by_prediction(study: Study) -> Table:
    """Accuracy of predicted refusals and of predicted compliance, at all confidences and at the highest."""
    rows = tuple(
        (target.name, said, *_predicted(study.numbers(target), pred))
        for target in study.targets
        for pred, said in ((1, "refuse"), (0, "comply"))
    )
    columns = (
        Column("target", "Target"),
        Column("said", "Predicted to"),
        Column("n", "n", "count"),
        Column("accuracy", "Accuracy %", "percent"),
        Column("n_at_5", "n at 5", "count"),
        Column("accuracy_at_5", "Accuracy at 5 %", "percent"),
    )
    note = "A wrong “refuse” withholds an answer that would have come; a wrong “comply” promises one that does not."
    return Table("by_prediction", "Predicted refusals and predicted compliance", columns, rows, "", (note,))


def guarantees(study: Study) -> Table:
    """The lowest confidence at which a share of errors is kept below a target, with 95 % certainty."""
    rows: list[tuple[Cell, ...]] = []
    kept: dict[str, str] = {}
    for target in study.targets:
        for risk in RISKS:
            found = guaranteed_threshold(study.numbers(target).levels, risk)
            rows.append((target.name, risk, found.threshold, found.upper_risk, found.coverage))
            if risk == RISKS[1]:
                kept[target.name] = "none" if found.threshold is None else f"from confidence {found.threshold} on"
    columns = (
        Column("target", "Target"),
        Column("risk", "Errors at most %", "percent"),
        Column("threshold", "Confidence ≥", "count"),
        Column("upper", "Upper bound %", "percent"),
        Column("coverage", "Coverage %", "percent"),
    )
    reading = f"Errors kept below {percent(RISKS[1])}: {grouped(kept)}." if kept else ""
    note = "Thresholds tested from the strictest on; Clopper–Pearson bound on the effective number of rows."
    return Table("guarantees", "Confidence that guarantees few errors", columns, tuple(rows), reading, (note,))


def _predicted(numbers: Numbers, pred: int) -> tuple[Cell, ...]:
    anyhow, sure = numbers.when_predicted(pred, 1), numbers.when_predicted(pred, THRESHOLDS[0])
    return (anyhow.n, anyhow, sure.n, sure)


def _selected(name: str, numbers: Numbers, threshold: int) -> tuple[Cell, ...]:
    found, passed = numbers.defaults, int(numbers.levels[:, 0, threshold - 1 :].sum())
    return (
        name,
        threshold,
        found[f"coverage:{threshold}"],
        found[f"selective_accuracy:{threshold}"],
        passed,
        found[f"errors_caught:{threshold}"],
        found["routing_gain"] if threshold == THRESHOLDS[0] else None,
    )


def _routing(study: Study) -> str:
    phrases = {}
    for target in study.targets:
        gain = study.numbers(target).defaults["routing_gain"]
        if gain.value is None:
            phrases[target.name] = "nothing to compare"
        elif gain.low is None or gain.high is None or gain.low <= 0 <= gain.high:
            phrases[target.name] = "no gain beyond noise"
        else:
            phrases[target.name] = "more accurate" if gain.value > 0 else "less accurate"
    return f"Acting only at confidence 5, against acting always: {grouped(phrases)}." if phrases else ""
