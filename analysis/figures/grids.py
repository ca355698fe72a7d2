"""Heat maps with the numbers written in: rates by topic, and errors by level and confidence."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from ..data import Floats, Ints
from .style import LINE, ON_DARK, ON_LIGHT, SOFT, blank, facets, label_axes, shortened

GOOD_TO_BAD = LinearSegmentedColormap.from_list("errors", ["#f4f7fa", "#9ec4dd", "#0072b2", "#003a5c"])


def topic_heat_map(topics: Sequence[str], targets: Sequence[str], accuracy: Floats, n: Ints) -> Figure:
    """Accuracy (targets × topics) with n below it; darker is worse, blank where a target has no rows."""
    figure = blank(2.2 + 1.25 * len(targets), 1.0 + 0.42 * len(topics))
    axis = figure.subplots()
    error = (1 - accuracy).T
    _cells(axis, error, 0.5)
    for column in range(len(targets)):
        for row in range(len(topics)):
            if n[column, row] == 0:
                _write(axis, column, row, "–", SOFT)
                continue
            dark = error[row, column] > 0.3
            label = f"{100 * accuracy[column, row]:.1f} %\nn = {n[column, row]}"
            _write(axis, column, row, label, ON_DARK if dark else ON_LIGHT)
    axis.set_xticks(np.arange(len(targets)) + 0.5, [shortened(name, 18) for name in targets])
    axis.set_yticks(np.arange(len(topics)) + 0.5, [shortened(topic.replace("_", " "), 24) for topic in topics])
    axis.xaxis.tick_top()
    return figure


def error_grid(targets: Sequence[str], errors: Ints, n: Ints) -> Figure:
    """Errors of rows by level × confidence, one panel a target (arrays: targets × levels × confidences 1–5)."""
    figure, panels = facets(list(targets))
    rate = np.divide(errors, n, out=np.full(n.shape, np.nan), where=n > 0)
    top = max(float(np.nanmax(rate)), 0.2) if np.isfinite(rate).any() else 1.0
    for panel, shares, wrong, rows in zip(panels, rate, errors, n, strict=True):
        _cells(panel, shares, top)
        for level, confidence in np.argwhere(rows > 0):
            dark = shares[level, confidence] > 0.55 * top
            color = ON_DARK if dark else ON_LIGHT
            _write(panel, confidence, level, f"{wrong[level, confidence]}\nof {rows[level, confidence]}", color)
        panel.set_xticks(np.arange(5) + 0.5, ["1", "2", "3", "4", "5"])
        panel.set_yticks(np.arange(5) + 0.5, [f"L{level}" for level in range(1, 6)])
    label_axes(panels, "Stated confidence")
    return figure


def _cells(axis: Axes, values: Floats, top: float) -> None:
    masked = np.ma.masked_invalid(values)
    axis.pcolormesh(masked, cmap=GOOD_TO_BAD, vmin=0, vmax=top, edgecolors=LINE, linewidth=1.0)
    axis.set_xlim(0, values.shape[1])
    axis.set_ylim(values.shape[0], 0)
    axis.set_xticks([])
    for spine in axis.spines.values():
        spine.set_visible(False)
    axis.tick_params(length=0)


def _write(axis: Axes, column: int, row: int, text: str, color: str) -> None:
    axis.text(column + 0.5, row + 0.5, text, ha="center", va="center", fontsize=7.5, color=color, linespacing=1.15)
