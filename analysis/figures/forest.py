"""Estimates with their intervals, one line a row, panels side by side."""

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..metrics.estimate import Estimate
from ..tables.statuses import meaning
from ..tables.table import Kind, number
from .style import BLUE, INK, LINE, SOFT, blank


class Panel(NamedTuple):
    """One panel: its axis label, an estimate a row, and where nothing would be (`None` draws no line)."""

    label: str
    estimates: Sequence[Estimate]
    reference: float | None = None
    kind: Kind = "two"

    @property
    def scale(self) -> float:
        """What values are multiplied with on the axis."""
        return 100.0 if self.kind in ("percent", "points") else 1.0


def forest(names: Sequence[str], panels: Sequence[Panel]) -> Figure:
    """Point and interval of every estimate, written out beside it; an undefined one is said in words."""
    longest = max(map(len, names), default=0)
    figure = blank(0.3 + 0.07 * longest + 3.1 * len(panels), 0.9 + 0.42 * max(len(names), 1))
    axes = list(figure.subplots(1, len(panels), squeeze=False, sharey=True).flat)
    for axis, panel in zip(axes, panels, strict=True):
        _draw(axis, panel)
    axes[0].set_yticks(range(len(names)), names)
    axes[0].set_ylim(len(names) - 0.4, -0.6)
    return figure


def _draw(axis: Axes, panel: Panel) -> None:
    defined = [estimate for estimate in panel.estimates if estimate.value is not None]
    ends = [panel.scale * end for item in defined for end in (item.value, item.low, item.high) if end is not None]
    if panel.reference is not None:
        axis.axvline(panel.scale * panel.reference, color=SOFT, linewidth=0.8, linestyle=(0, (3, 3)))
        ends.append(panel.scale * panel.reference)
    span = (max(ends) - min(ends)) or 1.0 if ends else 1.0
    if ends:
        axis.set_xlim(min(ends) - 0.06 * span, max(ends) + 0.06 * span)
    for row, estimate in enumerate(panel.estimates):
        _row(axis, panel, row, estimate)
    axis.set_xlabel(panel.label)
    axis.spines["left"].set_visible(False)
    axis.tick_params(axis="y", length=0)


def _row(axis: Axes, panel: Panel, row: int, estimate: Estimate) -> None:
    if estimate.value is None:
        why = textwrap.fill(meaning(estimate.status), 34)
        axis.text(0.02, row, why, transform=axis.get_yaxis_transform(), va="center", color=SOFT, fontsize=7.5)
        return
    value = panel.scale * estimate.value
    if estimate.low is not None and estimate.high is not None:
        axis.plot([panel.scale * estimate.low, panel.scale * estimate.high], [row, row], color=BLUE, linewidth=2.2)
    axis.plot([value], [row], "o", color=BLUE, markersize=5.5, markeredgecolor=LINE, markeredgewidth=0.6)
    axis.annotate(
        number(estimate.value, panel.kind),
        (value, row),
        (0, 6),
        textcoords="offset points",
        ha="center",
        fontsize=8,
        color=INK,
    )
