"""Curves over confidence: reliability, risk against coverage, and the rating ROC, one panel a target."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..data import Floats
from ..metrics.estimate import Estimate
from .style import BLUE, GREEN, INK, ORANGE, SOFT, facets, label_axes

LEVELS = np.arange(1, 6)


def reliability(targets: Sequence[str], accuracy: Sequence[Sequence[Estimate]], maps: dict[str, Floats]) -> Figure:
    """Accuracy at each stated confidence with interval and n, against the lines of perfect calibration under `maps`."""
    figure, panels = facets(list(targets))
    for index, (panel, estimates) in enumerate(zip(panels, accuracy, strict=True)):
        for (name, values), dash in zip(maps.items(), ((0, (1, 0)), (0, (4, 3))), strict=False):
            panel.plot(LEVELS, values, color=SOFT, linewidth=0.9, linestyle=dash)
            if index == 0:
                panel.annotate(
                    name, (1, values[0]), (2, -3), textcoords="offset points", fontsize=7.5, va="top", color=SOFT
                )
        for level, estimate in zip(LEVELS, estimates, strict=True):
            _point(panel, float(level), estimate)
        panel.set_xlim(0.6, 5.5)
        panel.set_ylim(-0.03, 1.09)
        panel.set_yticks(np.arange(0, 1.1, 0.25), ["0 %", "25 %", "50 %", "75 %", "100 %"])
        panel.set_xticks(LEVELS)
    label_axes(panels, "Stated confidence", "Predictions that came true")
    return figure


def _point(panel: Axes, x: float, estimate: Estimate) -> None:
    if estimate.value is None:
        return
    if estimate.low is not None and estimate.high is not None:
        panel.plot([x, x], [estimate.low, estimate.high], color=BLUE, linewidth=1.8)
    panel.plot([x], [estimate.value], "o", color=BLUE, markersize=5)
    below = estimate.value > 0.5
    edge = estimate.low if below else estimate.high
    at = estimate.value if edge is None else edge
    panel.annotate(
        f"n={estimate.n}",
        (x, at),
        (0, -5 if below else 5),
        textcoords="offset points",
        fontsize=7,
        ha="center",
        va="top" if below else "bottom",
        color=INK,
    )


class RiskCurve(NamedTuple):
    """Error rate among the most confident rows, one point a threshold by ascending coverage, and overall."""

    coverage: Floats
    risk: Floats
    error_rate: float


def risk_coverage(targets: Sequence[str], curves: Sequence[RiskCurve]) -> Figure:
    """Error rate of the rows kept at each threshold; useful confidence falls to the left, below the dashed line."""
    figure, panels = facets(list(targets))
    top = max([float(curve.risk.max()) for curve in curves if len(curve.risk)] or [0.1])
    for index, (panel, curve) in enumerate(zip(panels, curves, strict=True)):
        panel.axhline(curve.error_rate, color=SOFT, linewidth=0.9, linestyle=(0, (4, 3)))
        panel.plot(curve.coverage, curve.risk, "-o", color=BLUE, linewidth=1.6, markersize=4)
        if index == 0:
            panel.annotate(
                "all rows", (0, curve.error_rate), (3, 3), textcoords="offset points", fontsize=7.5, color=SOFT
            )
        panel.set_xlim(0, 1.03)
        panel.set_ylim(0, 1.2 * max(top, 0.02))
        panel.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
        panel.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    label_axes(panels, "Rows kept", "Errors among them")
    return figure


class RocCurve(NamedTuple):
    """False-alarm and hit rates from (0, 0) to (1, 1), empty if undefined, and what the area is."""

    false_alarms: Floats
    hits: Floats
    area: float | None


def roc(targets: Sequence[str], predictions: Sequence[RocCurve], harm: Sequence[RocCurve], points: Floats) -> Figure:
    """ROC of prediction × confidence (blue), of the stated harm (green), and the plain yes/no prediction (diamond)."""
    figure, panels = facets(list(targets))
    for panel, own, rated, point in zip(panels, predictions, harm, points, strict=True):
        panel.plot([0, 1], [0, 1], color=SOFT, linewidth=0.8, linestyle=(0, (4, 3)))
        for curve, color, name, height in ((rated, GREEN, "harm rating", 0.08), (own, BLUE, "prediction", 0.22)):
            panel.plot(curve.false_alarms, curve.hits, color=color, linewidth=1.6)
            area = "–" if curve.area is None else f"{curve.area:.3f}".removeprefix("0")
            panel.text(0.98, height, f"{name} {area}", ha="right", color=color, fontsize=8)
        if np.isfinite(point).all():
            panel.plot([point[0]], [point[1]], "D", color=ORANGE, markersize=5, zorder=3)
        panel.set_xlim(-0.02, 1.02)
        panel.set_ylim(-0.02, 1.02)
        panel.set_xticks([0, 0.5, 1], ["0", ".5", "1"])
        panel.set_yticks([0, 0.5, 1], ["0", ".5", "1"])
    label_axes(panels, "False-alarm rate", "Hit rate")
    return figure
