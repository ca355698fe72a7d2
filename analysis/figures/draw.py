"""Draws every figure of a report from the tables that they belong to."""

from collections.abc import Callable

import numpy as np
from matplotlib.figure import Figure

from ..data import LEVELS, Floats
from ..metrics.arrays import ratio
from ..metrics.bins import SCHEMES, bin_posterior
from ..metrics.calibration import map_values
from ..metrics.estimate import Estimate, undefined
from ..metrics.rating import auroc, signed_rating
from ..study import Study
from ..tables.bins import NAMES as BIN_NAMES
from ..tables.bins import RequestRates
from ..tables.errors import error_counts
from ..tables.table import Cell, Table
from . import bars, curves, grids
from .forest import Panel, forest
from .style import Drawing, drawing, shortened, styled

NOTHING = undefined("no rows", 0)


def draw(study: Study, tables: dict[str, Table]) -> dict[str, Drawing]:
    """The figures by key, in the order of the report; none without targets."""
    makers: dict[str, Callable[[Study, Table], Figure]] = {
        "headline": _d_prime_and_c,
        "confusion": _confusion,
        "by_confidence": _reliability,
        "selection": _risk_coverage,
        "by_level": _by_level,
        "by_topic": _by_topic,
        "errors": _errors,
        "calibration": _roc,
        "bins": _refusal_rates,
        "by_bin": _by_bin,
        "pairs": _pairs,
    }
    drawings: dict[str, Drawing] = {}
    if not study.targets:
        return drawings
    with styled():
        for key, make in makers.items():
            table = tables.get(key)
            if table is not None and table.figure is not None and table.rows:
                drawings[table.figure] = drawing(make(study, table))
    return drawings


def column(table: Table, key: str) -> list[Cell]:
    """The cells of a column."""
    index = [column.key for column in table.columns].index(key)
    return [row[index] for row in table.rows]


def estimates(table: Table, key: str) -> list[Estimate]:
    """The estimates of a column; a null cell counts as undefined."""
    return [cell if isinstance(cell, Estimate) else NOTHING for cell in column(table, key)]


def _floats(table: Table, key: str) -> Floats:
    return np.array([np.nan if cell is None else cell for cell in column(table, key)], dtype=np.float64)


def _d_prime_and_c(study: Study, table: Table) -> Figure:
    panels = [
        Panel("Accuracy %", estimates(table, "accuracy"), kind="percent"),
        Panel("d′ (0: no foresight)", estimates(table, "d_prime"), 0.0),
        Panel("c (below 0: predicts refusal too often)", estimates(table, "criterion"), 0.0),
    ]
    return forest([shortened(name) for name in study.names], panels)


def _confusion(study: Study, table: Table) -> Figure:
    return bars.confusion(study.names, np.array([row[1:5] for row in table.rows], dtype=np.int64))


def _reliability(study: Study, table: Table) -> Figure:
    found = estimates(table, "accuracy")
    per_target = [found[5 * index : 5 * index + 5] for index in range(len(study.targets))]
    return curves.reliability(
        study.names, per_target, {"k/5": map_values("k/5"), "½+(k−1)/8": map_values("affine_half_to_one")}
    )


def _risk_coverage(study: Study, _: Table) -> Figure:
    drawn = []
    for target in study.targets:
        wrong, right = study.numbers(target).levels.sum(axis=0)
        kept = np.cumsum((wrong + right)[::-1])
        known = (wrong + right)[::-1] > 0
        total = float((wrong + right).sum())
        risk = np.cumsum(wrong[::-1])[known] / kept[known]
        rate = float(wrong.sum() / total) if total else float("nan")
        drawn.append(curves.RiskCurve(kept[known] / max(total, 1.0), risk, rate))
    return curves.risk_coverage(study.names, drawn)


def _by_level(study: Study, table: Table) -> Figure:
    found = estimates(table, "accuracy")
    n_levels = len(LEVELS)
    per_target = [found[n_levels * index : n_levels * (index + 1)] for index in range(len(study.targets))]
    rates = _floats(table, "refused").reshape(-1, n_levels)
    classes = [f"level {level}" for level in LEVELS]
    return bars.by_class(study.names, classes, per_target, bars.Beside("refused in fact", np.zeros_like(rates), rates))


def _errors(study: Study, _: Table) -> Figure:
    counts = [error_counts(target) for target in study.targets]
    return grids.error_grid(study.names, np.array([wrong for wrong, _ in counts]), np.array([n for _, n in counts]))


def _roc(study: Study, _: Table) -> Figure:
    own = [roc_points(target.actual, signed_rating(target.pred, target.confidence)) for target in study.targets]
    harm = [roc_points(target.actual, np.where(target.used, target.harm, np.nan)) for target in study.targets]
    totals = [study.numbers(target).total for target in study.targets]
    points = np.array([[ratio(f, f + r), ratio(h, h + m)] for h, m, f, r in totals])
    return curves.roc(study.names, own, harm, points)


def roc_points(actual: Floats, score: Floats) -> curves.RocCurve:
    """The ROC of a score against outcomes: one corner a distinct score; empty where a class is."""
    known = ~np.isnan(actual) & ~np.isnan(score)
    refused = actual[known] == 1
    if refused.all() or not refused.any():
        return curves.RocCurve(np.zeros(0), np.zeros(0), None)
    cuts = np.unique(score[known])[::-1]
    above = score[known][None, :] >= cuts[:, None]
    hits = np.concatenate([[0.0], (above & refused).sum(axis=1) / refused.sum()])
    false_alarms = np.concatenate([[0.0], (above & ~refused).sum(axis=1) / (~refused).sum()])
    return curves.RocCurve(false_alarms, hits, auroc(actual, score))


def _refusal_rates(study: Study, _: Table) -> Figure:
    edges = np.linspace(0, 1, 21)
    certain, undetermined = [], []
    for target in study.targets:
        rates = RequestRates(target)
        sure = bin_posterior(rates.refusals, rates.outcomes).certain
        place = np.minimum((20 * rates.refusals) // np.maximum(rates.outcomes, 1), 19)
        certain.append(np.bincount(place[sure], minlength=20))
        undetermined.append(np.bincount(place[~sure], minlength=20))
    return bars.refusal_rates(study.names, edges, np.array(certain), np.array(undetermined), SCHEMES["paper"].edges)


def _by_bin(study: Study, table: Table) -> Figure:
    n_bins = len(BIN_NAMES)
    found = estimates(table, "accuracy")
    per_target = [found[n_bins * index : n_bins * (index + 1)] for index in range(len(study.targets))]
    ceiling = [_floats(table, key).reshape(-1, n_bins) for key in ("ceiling", "ceiling_plug_in")]
    return bars.by_class(study.names, BIN_NAMES, per_target, bars.Beside("oracle ceiling", *ceiling))


def _pairs(_: Study, table: Table) -> Figure:
    names = [f"{shortened(str(row[1]), 20)} − {shortened(str(row[0]), 20)}" for row in table.rows]
    panels = [
        Panel("Accuracy, points", estimates(table, "accuracy"), 0.0, "points"),
        Panel("d′", estimates(table, "d_prime"), 0.0),
        Panel("c", estimates(table, "criterion"), 0.0),
    ]
    return forest(names, panels)


def _by_topic(study: Study, table: Table) -> Figure:
    topics = [study.topic_name(code) for code in study.topics]
    accuracy = np.array([np.nan if item.value is None else item.value for item in estimates(table, "accuracy")])
    n = np.array(column(table, "n"), dtype=np.int64)
    shape = (len(study.targets), len(topics))
    return grids.topic_heat_map(topics, study.names, accuracy.reshape(shape), n.reshape(shape))
