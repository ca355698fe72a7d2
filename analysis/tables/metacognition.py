"""meta-d′: how much of a target's knowledge of its refusals its confidence shows."""

import numpy as np

from ..data import TargetRows
from ..intervals.bootstrap import cluster_bootstrap
from ..metrics.estimate import OK
from ..metrics.m_ratio import m_ratio_of
from ..metrics.meta_d import meta_d, meta_d_gate
from ..metrics.table import signed_rating_cells
from ..study import Study
from .statuses import meaning
from .table import Cell, Column, Table
from .words import grouped


def metacognition(study: Study) -> Table:
    """meta-d′, M-ratio with interval, or why only AUROC2 is printed."""
    rows = tuple(_row(study, target) for target in study.targets)
    columns = (
        Column("target", "Target"),
        Column("auroc2", "AUROC2", "three"),
        Column("meta_d", "meta-d′", "two"),
        Column("m_ratio", "M-ratio", "two"),
        Column("levels", "Levels in use", "count"),
        Column("gate", "Note"),
    )
    shown = {str(row[0]): "printed" if row[2] is not None else "withheld" for row in rows}
    reading = f"meta-d′: {grouped(shown)}." if shown else ""
    notes = (
        "Printed only with at least two confidence levels in use, 30 errors and .5 ≤ |d′| ≤ 3.5. M-ratio = meta-d′/d′; "
        f"its interval is a cluster bootstrap of {study.settings.m_ratio_resamples} resamples. With few levels in use "
        "it rests on one criterion a side.",
    )
    return Table("metacognition", "Metacognition", columns, rows, reading, notes)


def _row(study: Study, target: TargetRows) -> tuple[Cell, ...]:
    numbers = study.numbers(target)
    cells = signed_rating_cells(numbers.table.cells)
    noise, signal = cells.sum(axis=0)
    gate = meta_d_gate(noise, signal)
    auroc2 = numbers.defaults["auroc_type2"]
    fit = meta_d(noise, signal)
    if gate != OK or fit.meta_d is None:
        return (target.name, auroc2, None, None, fit.n_levels, meaning(gate if gate != OK else fit.status))
    rng = np.random.default_rng(study.settings.seed)
    ratio = cluster_bootstrap(cells, m_ratio_of, rng, study.settings.m_ratio_resamples)
    note = "" if fit.status == OK else meaning(fit.status)
    if fit.n_levels <= 3:
        note = f"{note}; rests on {fit.n_levels} levels".removeprefix("; ")
    return (target.name, auroc2, fit.meta_d, ratio, fit.n_levels, note)
