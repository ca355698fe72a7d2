"""A table as CSV (every part of an estimate its own column) and as LaTeX."""

import csv
import io

from ..metrics.estimate import Estimate
from .statuses import meaning
from .table import Cell, Column, Footnotes, Table, printable, with_mark

PARTS = ("low", "high", "n", "n_requests", "status", "method")
LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "−": "$-$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "∞": r"$\infty$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "′": "$'$",
    "α": r"$\alpha$",
    "½": r"$\frac{1}{2}$",
    "·": r"$\cdot$",
    "→": r"$\rightarrow$",
}


def as_csv(table: Table) -> str:
    """The table's full-precision values, null as an empty field; estimates get `_low` … `_method` columns."""
    spread = [any(isinstance(row[index], Estimate) for row in table.rows) for index in range(len(table.columns))]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([name for column, wide in zip(table.columns, spread, strict=True) for name in _names(column, wide)])
    for row in table.rows:
        writer.writerow([field for cell, wide in zip(row, spread, strict=True) for field in _fields(cell, wide)])
    return out.getvalue()


def as_latex(table: Table) -> str:
    r"""The table as a `tabular` in the manner of booktabs (needs `\usepackage{booktabs}`), all text escaped."""
    notes = Footnotes()
    alignment = "".join("l" if column.kind == "text" else "r" for column in table.columns)
    head = " & ".join(escaped(column.head) for column in table.columns)
    body = [
        " & ".join(
            escaped(with_mark(cell, column.kind, notes)) for cell, column in zip(row, table.columns, strict=True)
        )
        for row in table.rows
    ]
    lines = [
        f"% {printable(table.title)}",
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        rf"{head} \\",
        r"\midrule",
        *(rf"{line} \\" for line in body),
        r"\bottomrule",
        r"\end{tabular}",
        *(rf"\par\footnotesize {escaped(f'{letter}: {meaning(status)}')}" for letter, status in notes),
        *(rf"\par\footnotesize {escaped(note)}" for note in table.notes),
    ]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """`text` with every character that LaTeX would act on written out."""
    return "".join(LATEX.get(character, character) for character in printable(text))


def _names(column: Column, wide: bool) -> list[str]:
    return [column.key, *(f"{column.key}_{part}" for part in PARTS)] if wide else [column.key]


def _fields(cell: Cell, wide: bool) -> list[str]:
    if isinstance(cell, Estimate):
        return [_plain(cell.value), *(_plain(getattr(cell, part)) for part in PARTS)]
    return [_plain(cell), *("" for _ in PARTS)] if wide else [_plain(cell)]


def _plain(value: object) -> str:
    if value is None or value != value:
        return ""
    if isinstance(value, float):
        return f"{value:.10g}"
    return printable(str(value))
