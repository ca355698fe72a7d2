"""The report as one self-contained HTML page: no script, no outside resource, all dataset text escaped."""

import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from ..figures.style import INK, LINE, PAPER, SOFT
from ..tables.statuses import meaning
from ..tables.table import Footnotes, Table, printable, with_mark
from .style import CSS

THEMED = {INK: "--ink", SOFT: "--soft", LINE: "--line", PAPER: "--paper"}


class Section(NamedTuple):
    """A chapter of the report: a heading, paragraphs, and tables, each after its figure if it has one."""

    key: str
    title: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    refused: str = ""
    """Why this chapter was not computed; "" if it was."""


def page(title: str, lead: Sequence[str], sections: Sequence[Section], figures: dict[str, str]) -> str:
    """The HTML text; `figures` maps a figure's key to its SVG."""
    contents = "".join(f'<li><a href="#{_id(section.key)}">{_text(section.title)}</a></li>' for section in sections)
    body = "".join(_section(section, figures) for section in sections)
    paragraphs = "".join(f"<p>{_text(line)}</p>" for line in lead)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{_text(title)}</title><style>{CSS}</style></head><body>"
        f"<header><h1>{_text(title)}</h1>{paragraphs}</header>"
        f'<nav aria-label="Contents"><h2>Contents</h2><ol>{contents}</ol></nav><main>{body}</main></body></html>\n'
    )


def _section(section: Section, figures: dict[str, str]) -> str:
    paragraphs = "".join(f"<p>{_text(line)}</p>" for line in section.paragraphs)
    tables = "".join(_block(table, figures) for table in section.tables if not table.files_only)
    key = _id(section.key)
    return f'<section id="{key}"><h2>{_text(section.title)}</h2>{paragraphs}{tables}</section>'


def _block(table: Table, figures: dict[str, str]) -> str:
    badge = ' <span class="badge">exploratory</span>' if table.exploratory else ""
    reading = f'<p class="reading">{_text(table.reading)}</p>' if table.reading else ""
    drawn = figures.get(table.figure or "")
    figure = (
        f'<figure role="img" aria-label="{_text(table.title)}">{_inline(drawn, table.figure or "")}</figure>'
        if drawn
        else ""
    )
    key = _id(f"table-{table.key}")
    return f'<article id="{key}"><h3>{_text(table.title)}{badge}</h3>{reading}{figure}{_table(table)}</article>'


def _table(table: Table) -> str:
    if not table.rows:
        return ""
    notes = Footnotes()
    head = "".join(f'<th scope="col"{_class(column.kind)}>{_text(column.head)}</th>' for column in table.columns)
    rows = []
    grouped = len({row[0] for row in table.rows}) < len(table.rows)
    before: object = table.rows[0][0]
    for row in table.rows:
        cells = [_text(with_mark(cell, column.kind, notes)) for cell, column in zip(row, table.columns, strict=True)]
        first = f'<th scope="row">{cells[0]}</th>'
        rest = "".join(
            f"<td{_class(column.kind)}>{cell}</td>" for cell, column in zip(cells[1:], table.columns[1:], strict=True)
        )
        start = '<tr class="first">' if grouped and row[0] != before else "<tr>"
        rows.append(f"{start}{first}{rest}</tr>")
        before = row[0]
    below = [f"<b>{letter}</b> {_text(meaning(status))}" for letter, status in notes]
    below += [_text(note) for note in table.notes]
    footer = "".join(f'<p class="note">{note}</p>' for note in below)
    region = f'<div class="scroll" tabindex="0" role="region" aria-label="{_text(table.title)}">'
    body = "".join(rows)
    return f"{region}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{footer}"


def _inline(svg: str, key: str) -> str:
    themed = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    for colour, variable in THEMED.items():
        themed = themed.replace(colour, f"var({variable})")
    return re.sub(r'(id="|href="#|url\(#)', rf"\g<1>{_id(key)}-", themed)


def _class(kind: str) -> str:
    return "" if kind == "text" else ' class="n"'


def _text(text: str) -> str:
    return escape(printable(text), quote=True)


def _id(key: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", key.lower()).strip("-")
