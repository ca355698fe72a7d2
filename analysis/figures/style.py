"""How figures look and how they become files whose bytes depend on the data alone."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

INK, SOFT, LINE, PAPER = "#1b1f24", "#57606a", "#d0d7de", "#ffffff"
ON_DARK, ON_LIGHT = "#fefefe", "#16191d"
BLUE, ORANGE, GREEN, PURPLE = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
"""Okabe & Ito's colours: told apart with any common colour vision, on white and on near-black."""

SETTINGS: Any = {
    "svg.hashsalt": "refusal-foresight",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.unicode_minus": True,
    "text.color": INK,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "text.parse_math": False,
}
FACET = (2.7, 2.5)
MAX_COLUMNS = 4


class Drawing(NamedTuple):
    """A figure as files."""

    svg: str
    png: bytes


@contextmanager
def styled() -> Iterator[None]:
    """Draw inside this: matplotlib's defaults, whatever the machine's settings, and the report's own."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(SETTINGS)
        yield


def blank(width: float, height: float) -> Figure:
    """An empty figure of that many inches, laid out when drawn."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def facets(names: list[str], size: tuple[float, float] = FACET) -> tuple[Figure, list[Axes]]:
    """A figure with one panel a name, titled, on a grid of at most four columns with shared axes."""
    columns = max(1, min(MAX_COLUMNS, len(names)))
    rows = max(1, -(-len(names) // columns))
    figure = blank(size[0] * columns + 0.4, size[1] * rows + 0.3)
    panels = list(figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True).flat)
    for panel in panels[len(names) :]:
        panel.set_axis_off()
    for panel, name in zip(panels, names, strict=False):
        panel.set_title(shortened(name, int(10 * size[0])))
    for panel in panels[max(0, len(names) - columns) : len(names)]:
        panel.tick_params(labelbottom=True)
    return figure, panels[: len(names)]


def label_axes(panels: list[Axes], below: str, beside: str = "") -> None:
    """Names the axes of facets once: below the lowest panel of each column, beside the first panel."""
    columns = min(MAX_COLUMNS, len(panels))
    for panel in panels[len(panels) - columns :]:
        panel.set_xlabel(below)
    if panels:
        panels[0].set_ylabel(beside)


def shortened(name: str, length: int = 30) -> str:
    """`name` cut in the middle to `length` characters, so that a long model name cannot widen a figure."""
    plain = "".join(character if character.isprintable() else "\ufffd" for character in name)
    if len(plain) <= length:
        return plain
    return f"{plain[: length // 2 - 1]}…{plain[-(length // 2) :]}"


def drawing(figure: Figure) -> Drawing:
    """The figure as SVG text and PNG bytes; no dates, versions or random names in either."""
    svg, png = io.StringIO(), io.BytesIO()
    figure.savefig(svg, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    figure.set_layout_engine("none")  # keeps the layout that the first drawing found
    figure.savefig(png, format="png", dpi=160, facecolor=PAPER, metadata={"Software": None})
    return Drawing(svg.getvalue(), png.getvalue())
