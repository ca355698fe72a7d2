"""The report as one self-contained HTML page: no script, nothing from outside, every text escaped."""

from collections.abc import Sequence
from html import escape
from importlib.resources import files

from builder.corpus_report.section import Cell, Section, Table

_LONG = 40


def page(title: str, lead: str, sections: Sequence[Section], browse: str) -> str:
    """The HTML text; `browse` is the (already escaped) corpus to leaf through, shown last."""
    style = files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    entries = [*((section.key, section.title) for section in sections), ("corpus", "The corpus")]
    contents = "".join(f'<li><a href="#{escape(key)}">{escape(name)}</a></li>' for key, name in entries)
    body = "".join(_section(section) for section in sections)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body>"
        f"<header><h1>{escape(title)}</h1><p>{escape(lead)}</p></header>"
        f'<nav aria-label="Contents"><ol>{contents}</ol></nav><main>{body}'
        f'<section id="corpus"><h2>The corpus</h2><p>Requests ask; none tells how.</p>{browse}</section>'
        "</main></body></html>\n"
    )


def _section(section: Section) -> str:
    paragraphs = "".join(f"<p>{escape(text)}</p>" for text in section.paragraphs)
    tables = "".join(_table(table) for table in section.tables)
    return f'<section id="{escape(section.key)}"><h2>{escape(section.title)}</h2>{paragraphs}{tables}</section>'


def _table(table: Table) -> str:
    numeric = [all(not isinstance(row[place], str) for row in table.rows) for place in range(len(table.head))]
    head = "".join(
        f'<th scope="col"{_class(n)}>{escape(name)}</th>' for name, n in zip(table.head, numeric, strict=True)
    )
    rows = "".join(
        "<tr>" + "".join(_cell(cell, place == 0) for place, cell in enumerate(row)) + "</tr>" for row in table.rows
    )
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    label = escape(table.title, quote=True)
    return (
        f'<h3>{escape(table.title)}</h3><div class="scroll" tabindex="0" role="region" aria-label="{label}">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>{note}"
    )


def _cell(cell: Cell, first: bool) -> str:
    if isinstance(cell, str):
        name = 'th scope="row"' if first else "td"
        long = ' class="long"' if len(cell) > _LONG else ""
        return f"<{name}{long}>{escape(cell)}</{name[:2]}>"
    return f'<td class="n">{_number(cell)}</td>'


def _number(cell: int | float | None) -> str:
    if isinstance(cell, float):
        return f"{cell:.1f}" if abs(cell) >= 2 else f"{cell:.3f}"
    return "–" if cell is None else str(cell)


def _class(numeric: bool) -> str:
    return ' class="n"' if numeric else ""
