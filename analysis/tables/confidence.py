"""What stated confidence is worth: calibration, ranking of errors, and acting only on confident predictions."""

import numpy as np

from ..estimates import Numbers
from ..intervals.defaults import THRESHOLDS
from ..metrics.calibration import ConfidenceMap, calibration_error
from ..metrics.estimate import Estimate
from ..study import Study
from .table import Cell, Column, Table

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
    return Table("calibration", "Calibration and ranking", columns, tuple(rows), _calibration_reading(rows), notes)


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
    sentences = []
    for target in study.targets:
        counts = study.numbers(target).levels.sum(axis=(0, 1))
        used = [str(level) for level in CONFIDENCES if counts[level - 1]]
        if not used:
            sentences.append(f"{target.name} states no confidence in a usable row.")
            continue
        top = int(np.argmax(counts))
        share = 100 * counts[top] / counts.sum()
        sentences.append(
            f"{target.name} uses {_listed(used)} of the five levels, {top + 1} in {share:.0f} % of its rows."
        )
    return " ".join(sentences)


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _routing(study: Study) -> str:
    sentences = []
    for target in study.targets:
        numbers = study.numbers(target)
        found, overall = numbers.defaults, numbers.accuracy
        coverage, kept = found["coverage:5"], found["selective_accuracy:5"]
        if coverage.value is None or kept.value is None or overall.value is None:
            sentences.append(f"{target.name} has no prediction at confidence 5.")
            continue
        sentences.append(
            f"Acting only at confidence 5 keeps {100 * coverage.value:.1f} % of {target.name}’s rows, with "
            f"{100 * kept.value:.1f} % right against {100 * overall.value:.1f} % of all."
        )
    return " ".join(sentences)
