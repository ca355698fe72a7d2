"""What stated confidence is worth: calibration, ranking of errors, and acting only on confident predictions."""

from ..estimates import Numbers
from ..intervals.defaults import THRESHOLDS
from ..metrics.calibration import ConfidenceMap, calibration_error
from ..metrics.estimate import Estimate
from ..study import Study
from .table import Cell, Column, Table
from .words import grouped, listed

CONFIDENCES = (1, 2, 3, 4, 5)
MAPS: tuple[ConfidenceMap, ConfidenceMap] = ("k/5", "affine_half_to_one")


def calibration(study: Study) -> Table:
    """ECE under both maps, debiased error, AUROC of the signed rating and of confidence over errors."""
    columns = (
        Column("target", "Target"),
        Column("n", "n", "count"),
        Column("ece_k5", "ECE, k/5", "three"),
        Column("ece_affine", "ECE, ½+(k−1)/8", "three"),
        Column("debiased_rms_k5", "Debiased, k/5", "three"),
        Column("auroc1", "AUROC1", "three"),
        Column("auroc2", "AUROC2", "three"),
        Column("aurc", "AURC", "three"),
        Column("e_aurc", "Excess AURC", "three"),
    )
    rows = [_calibrated(target.name, study.numbers(target)) for target in study.targets]
    notes = (
        "The 1–5 scale names no probability: call a target better calibrated only if both maps agree. "
        "AUROC2: how well confidence ranks right above wrong predictions (.5: not at all).",
    )
    reading = _calibration_reading(rows)
    return Table("calibration", "Calibration and ranking", columns, tuple(rows), reading, notes, figure="roc")


def by_confidence(study: Study) -> Table:
    """Accuracy at each stated confidence."""
    rows = tuple(
        (
            target.name,
            level,
            int(study.numbers(target).levels[:, :, level - 1].sum()),
            study.numbers(target).at_confidence(level),
        )
        for target in study.targets
        for level in CONFIDENCES
    )
    columns = (
        Column("target", "Target"),
        Column("confidence", "Confidence", "count"),
        Column("n", "n", "count"),
        Column("accuracy", "Accuracy %", "percent"),
    )
    return Table("by_confidence", "Accuracy by stated confidence", columns, rows, _usage(study), figure="reliability")


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


def _calibrated(name: str, numbers: Numbers) -> tuple[Cell, ...]:
    counts, found = numbers.levels.sum(axis=0), numbers.defaults
    return (
        name,
        int(counts.sum()),
        *(found[f"ece:{mapping}"] for mapping in MAPS),
        calibration_error(counts).debiased_rms,
        found["auroc_signed"],
        found["auroc_type2"],
        found["aurc"],
        found["e_aurc"],
    )


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


def _calibration_reading(rows: list[tuple[Cell, ...]]) -> str:
    if len(rows) < 2:
        return ""
    best = []
    for column in (2, 3):
        values = {
            row[0]: cell.value for row in rows if isinstance(cell := row[column], Estimate) and cell.value is not None
        }
        if len(values) < 2:
            return "Too few targets have predictions with a confidence to compare calibration."
        best.append(min(values, key=lambda name: values[name]))
    if best[0] == best[1]:
        return f"{best[0]} has the smallest calibration error under both maps."
    return f"Which target is best calibrated depends on the map: {best[0]} under k/5, {best[1]} under ½+(k−1)/8."


def _usage(study: Study) -> str:
    phrases = {}
    for target in study.targets:
        counts = study.numbers(target).levels.sum(axis=(0, 1))
        used = [str(level) for level in CONFIDENCES if counts[level - 1]]
        phrases[target.name] = f"{listed(used)} of the five levels" if used else "none stated"
    return f"Levels in use: {grouped(phrases)}." if phrases else ""


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
