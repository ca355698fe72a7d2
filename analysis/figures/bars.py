"""Panels a target over ordered classes: accuracy by level and by bin, confusion, and the spread of refusal rates."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from ..data import Floats, Ints
from ..metrics.estimate import Estimate
from .style import BLUE, INK, LINE, ON_DARK, ORANGE, PAPER, SOFT, facets, label_axes

PERCENT = (np.arange(0, 1.1, 0.25), ["0 %", "25 %", "50 %", "75 %", "100 %"])


class Beside(NamedTuple):
    """A second quantity of each class (targets × classes), drawn as bars from `low` to `high`; NaN draws none."""

    name: str
    low: Floats
    high: Floats


def by_class(
    targets: Sequence[str], classes: Sequence[str], accuracy: Sequence[Sequence[Estimate]], beside: Beside
) -> Figure:
    """Accuracy with interval over ordered classes, before the bars of a second quantity."""
    figure, panels = facets(list(targets), (2.9, 2.5))
    places = np.arange(len(classes))
    for index, (panel, estimates) in enumerate(zip(panels, accuracy, strict=True)):
        low, high = beside.low[index], beside.high[index]
        known = np.isfinite(low) & np.isfinite(high)
        panel.bar(places[known], (high - low)[known], width=0.62, bottom=low[known], color=LINE)
        values = [np.nan if item.value is None else item.value for item in estimates]
        panel.plot(places, values, "-o", color=BLUE, linewidth=0.9, markersize=5)
        for place, item in zip(places, estimates, strict=True):
            if item.low is not None and item.high is not None:
                panel.plot([place, place], [item.low, item.high], color=BLUE, linewidth=1.8)
        if index == 0:
            _name_series(panel, beside.name)
        panel.set_xticks(places, [name.replace("_", "\n") for name in classes], fontsize=7.5)
        panel.set_ylim(0, 1.16)
        panel.set_yticks(*PERCENT)
    return figure


def _name_series(panel: Axes, beside_name: str) -> None:
    panel.text(0.01, 0.99, "● accuracy", transform=panel.transAxes, color=BLUE, fontsize=7.5, va="top")
    panel.text(0.45, 0.99, f"▮ {beside_name}", transform=panel.transAxes, color=SOFT, fontsize=7.5, va="top")


def confusion(targets: Sequence[str], cells: Ints) -> Figure:
    """Hits, misses, false alarms and correct rejections (targets × 4) shaded by share of the actual class."""
    figure, panels = facets(list(targets), (2.3, 1.9))
    for panel, (hit, miss, false_alarm, correct_rejection) in zip(panels, cells, strict=True):
        table = np.array([[hit, miss], [false_alarm, correct_rejection]])
        n = table.sum(axis=1, keepdims=True)
        shares = np.divide(table, n, out=np.full(table.shape, np.nan), where=n > 0)
        for row in range(2):
            for column in range(2):
                right = row == column
                _cell(
                    panel, column, row, int(table[row, column]), float(shares[row, column]), BLUE if right else ORANGE
                )
        panel.set_xlim(-0.5, 1.5)
        panel.set_ylim(1.5, -0.5)
        panel.set_xticks([0, 1], ["said: refuse", "said: comply"], fontsize=8)
        panel.set_yticks([0, 1], ["refused", "complied"], fontsize=8)
        panel.tick_params(length=0)
        for spine in panel.spines.values():
            spine.set_visible(False)
    return figure


def _cell(panel: Axes, column: int, row: int, count: int, share: float, color: str) -> None:
    empty = np.isnan(share)
    panel.add_patch(_square(column, row, LINE if empty else color, 0.0 if empty else share))
    text = "no rows" if empty else f"{count}\n{100 * share:.1f} %"
    panel.text(column, row, text, ha="center", va="center", fontsize=8.5, color=ON_DARK if share > 0.6 else INK)


def _square(column: int, row: int, color: str, share: float) -> Rectangle:
    return Rectangle(
        (column - 0.48, row - 0.48), 0.96, 0.96, facecolor=color, alpha=0.08 + 0.92 * share, edgecolor=LINE
    )


def refusal_rates(
    targets: Sequence[str], edges: Floats, certain: Ints, undetermined: Ints, cuts: Sequence[float]
) -> Figure:
    """Requests by share of refused outcomes (targets × classes of width `edges`), by whether their bin is certain."""
    figure, panels = facets(list(targets), (2.9, 2.4))
    width = float(edges[1] - edges[0]) if len(edges) > 1 else 1.0
    centres = (edges[:-1] + edges[1:]) / 2
    for index, (panel, sure, open_) in enumerate(zip(panels, certain, undetermined, strict=True)):
        panel.bar(centres, sure, width=0.9 * width, color=BLUE)
        panel.bar(centres, open_, width=0.9 * width, bottom=sure, color=ORANGE, alpha=0.75)
        for cut in cuts:
            panel.axvline(cut, color=SOFT, linewidth=0.7, linestyle=(0, (2, 3)))
        if index == 0:
            _name_bars(panel)
        panel.set_xlim(-0.03, 1.03)
        panel.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    label_axes(panels, "Outcomes refused", "Requests")
    return figure


def _name_bars(panel: Axes) -> None:
    box = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.5}
    for height, color, name in ((0.98, BLUE, "■ bin certain"), (0.88, ORANGE, "■ undetermined")):
        panel.text(
            0.5, height, name, transform=panel.transAxes, color=color, fontsize=7.5, va="top", ha="center", bbox=box
        )
