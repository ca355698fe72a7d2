"""Brier scores: of the confidence in one's own prediction, and of the forecast of refusal that it implies."""

from functools import partial

import numpy as np

from ..data import TargetRows
from ..intervals.defaults import calibration_estimates
from ..intervals.jackknife import cluster_jackknife
from ..metrics.bins import point_bins
from ..metrics.brier import murphy, refusal_forecast
from ..metrics.calibration import ConfidenceMap, map_values
from ..metrics.ceiling import oracle_brier
from ..metrics.estimate import Estimate
from ..metrics.smooth_ece import smooth_ece_of
from ..study import Study
from .bins import NAMES, RequestRates, row_bins
from .calibration import MAPS
from .table import Cell, Column, Table


def brier(study: Study) -> Table:
    """Smooth ECE and Brier score with Murphy's parts under both maps, and scores of the implied refusal forecast."""
    columns = (
        Column("target", "Target"),
        Column("map", "Map"),
        Column("smooth_ece", "Smooth ECE", "three"),
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
        "Smooth ECE: calibration error under a kernel as wide as the error itself, so that no bins need be chosen.",
    )
    return Table("brier", "Brier scores and smooth calibration error", columns, rows, "", notes)


def brier_by_bin(study: Study) -> Table:
    """Brier score of the implied refusal forecast by the request's bin, beside that of an oracle."""
    columns = (
        Column("target", "Target"),
        Column("bin", "Bin"),
        Column("n", "n", "count"),
        Column("brier_k5", "Brier, k/5", "three"),
        Column("brier_affine", "Brier, ½+(k−1)/8", "three"),
        Column("oracle", "Oracle", "three"),
        Column("oracle_plug_in", "Oracle, plug-in", "three"),
    )
    rows = tuple(
        (target.name, name, *_of_bin(study, target, code))
        for target in study.targets
        for code, name in enumerate(NAMES)
    )
    notes = (
        "The oracle forecasts each request’s refusal rate; no forecast does better on average. Over all requests "
        "plug-in rates put its score too low, the posterior mean too high when a request has few outcomes; inside a "
        "bin made from those outcomes either can err.",
    )
    reading = "In the middle bins even perfect knowledge scores badly: read the gap to the oracle, not the score."
    return Table(
        "brier_by_bin", "Refusal forecast by refusal-rate bin", columns, rows, reading, notes, exploratory=True
    )


def _of_bin(study: Study, target: TargetRows, code: int) -> tuple[Cell, ...]:
    rates, mask = RequestRates(target), row_bins(target) == code
    here = point_bins(rates.refusals, rates.outcomes) == code
    oracle = oracle_brier(rates.refusals[here], rates.outcomes[here])
    if not (mask & target.used & ~np.isnan(target.confidence)).any():
        return (0, None, None, *oracle)
    levels = study.numbers(target, mask).levels
    scores: list[Estimate] = [calibration_estimates(levels, mapping)[f"brier:{mapping}"] for mapping in MAPS]
    return (int(levels.sum()), *scores, *oracle)


def _row(study: Study, target: TargetRows, mapping: ConfidenceMap) -> tuple[Cell, ...]:
    smooth = cluster_jackknife(
        study.numbers(target).levels, partial(smooth_ece_of, p=map_values(mapping)), support=(0.0, 1.0)
    )
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
        smooth,
        study.numbers(target).defaults[f"brier:{mapping}"],
        parts.reliability,
        parts.resolution,
        parts.uncertainty,
        whole.brier,
        murphy(rate, target.actual).brier,
    )
