"""Brier scores: of the confidence in one's own prediction, and of the forecast of refusal that it implies."""

import numpy as np

from ..data import TargetRows
from ..metrics.brier import murphy, refusal_forecast
from ..metrics.calibration import ConfidenceMap, map_values
from ..study import Study
from .calibration import MAPS
from .table import Cell, Column, Table


def brier(study: Study) -> Table:
    """Brier score with Murphy's parts under both maps, and the scores of the implied refusal forecast."""
    columns = (
        Column("target", "Target"),
        Column("map", "Map"),
        Column("brier", "Brier", "three"),
        Column("reliability", "Reliability", "three"),
        Column("resolution", "Resolution", "three"),
        Column("uncertainty", "Uncertainty", "three"),
        Column("forecast_brier", "Refusal forecast, Brier", "three"),
        Column("climate_brier", "Base rate alone, Brier", "three"),
    )
    rows = tuple(_row(study, target, mapping) for target in study.targets for mapping in MAPS)
    notes = (
        "Brier = reliability − resolution + uncertainty; smaller is better. Resolution needs no map. The refusal "
        "forecast reads a predicted refusal at confidence p as P(refusal) = p and predicted compliance as 1 − p.",
    )
    return Table("brier", "Brier scores", columns, rows, "", notes)


def _row(study: Study, target: TargetRows, mapping: ConfidenceMap) -> tuple[Cell, ...]:
    values = np.concatenate([map_values(mapping), [np.nan]])
    known = ~np.isnan(target.confidence)
    stated = values[np.where(known, np.nan_to_num(target.confidence, nan=0.0), 0).astype(np.int64) - 1]
    parts = murphy(stated, target.correct)
    usable = target.used & ~np.isnan(stated)
    forecast = refusal_forecast(np.where(usable, target.pred, np.nan), stated)
    whole = murphy(forecast, target.actual)
    rate = np.where(usable, target.actual[usable].mean() if usable.any() else np.nan, np.nan)
    return (
        target.name,
        mapping.replace("affine_half_to_one", "½+(k−1)/8"),
        study.numbers(target).defaults[f"brier:{mapping}"],
        parts.reliability,
        parts.resolution,
        parts.uncertainty,
        whole.brier,
        murphy(rate, target.actual).brier,
    )
