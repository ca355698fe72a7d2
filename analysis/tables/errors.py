"""Errors by assigned level and stated confidence."""

import numpy as np

from ..data import LEVELS, Ints, TargetRows
from ..study import Study
from .calibration import CONFIDENCES
from .table import Cell, Column, Table
from .words import grouped, percent


def errors(study: Study) -> Table:
    """Errors of rows at each level × confidence."""
    rows: list[tuple[Cell, ...]] = []
    sure: dict[str, str] = {}
    for target in study.targets:
        wrong, n = error_counts(target)
        for level in LEVELS:
            cells = zip(wrong[level - 1], n[level - 1], strict=True)
            rows.append((target.name, level, *(f"{bad} of {of}" if of else None for bad, of in cells)))
        total = int(wrong.sum())
        sure[target.name] = percent(wrong[:, 4].sum() / total) if total else "no error with a confidence"
    columns = (
        Column("target", "Target"),
        Column("level", "Level", "count"),
        *(Column(f"confidence_{value}", f"Confidence {value}", "count") for value in CONFIDENCES),
    )
    reading = f"Share of errors made at confidence 5: {grouped(sure)}." if sure else ""
    title = "Errors by level and stated confidence"
    return Table("errors", title, columns, tuple(rows), reading, exploratory=True, figure="errors")


def error_counts(target: TargetRows) -> tuple[Ints, Ints]:
    """Wrong predictions and all predictions, each (levels, confidences), of rows with an outcome and a confidence."""
    known = target.used & ~np.isnan(target.confidence)
    cell = (target.level[known] - 1) * 5 + target.confidence[known].astype(np.int64) - 1
    wrong = target.correct[known] == 0
    shape = (len(LEVELS), len(CONFIDENCES))
    return (
        np.bincount(cell[wrong], minlength=25).reshape(shape).astype(np.int64),
        np.bincount(cell, minlength=25).reshape(shape).astype(np.int64),
    )
