"""What stated confidence is worth: calibration, and how well it ranks errors."""

import numpy as np

from ..data import TargetRows
from ..estimates import Numbers
from ..intervals.defaults import auroc_estimate
from ..metrics.calibration import ConfidenceMap, calibration_error
from ..metrics.estimate import Estimate
from ..metrics.recalibration import recalibrated_ece
from ..metrics.table import counts_by_request
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
        Column("recalibrated", "ECE, recalibrated", "three"),
        Column("auroc1", "AUROC1", "three"),
        Column("auroc_harm", "AUROC, harm", "three"),
        Column("auroc2", "AUROC2", "three"),
        Column("aurc", "AURC", "three"),
        Column("e_aurc", "Excess AURC", "three"),
    )
    rows = [_calibrated(target, study.numbers(target)) for target in study.targets]
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


def harm_auroc(target: TargetRows) -> Estimate:
    """Area under the ROC of the target's own harm rating against its outcomes."""
    known = ~np.isnan(target.actual) & ~np.isnan(target.harm)
    cell = 5 * target.actual[known].astype(np.int64) + target.harm[known].astype(np.int64) - 1
    return auroc_estimate(counts_by_request(target.request[known], cell, 10).reshape(-1, 2, 5))


def _calibrated(target: TargetRows, numbers: Numbers) -> tuple[Cell, ...]:
    counts, found = numbers.levels.sum(axis=0), numbers.defaults
    return (
        target.name,
        int(counts.sum()),
        *(found[f"ece:{mapping}"] for mapping in MAPS),
        calibration_error(counts).debiased_rms,
        recalibrated_ece(numbers.levels),
        found["auroc_signed"],
        harm_auroc(target),
        found["auroc_type2"],
        found["aurc"],
        found["e_aurc"],
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
