"""Cutting a text into sentences, with what kind of text each stands in."""

import re
from typing import NamedTuple

SEEN = 4000
END = 500
LAST = 2
LONGEST = 500
ENOUGH = 8
FENCE = "```"
ITEM = re.compile(r"\s*(?:[-*•·–+]|\(?\d{1,2}[.):、]|\(?[a-h][.)]|#{1,6}|step \d+)\s+")
STOP = ".!?…。！？؟।॥۔។။։።"
SENTENCE = re.compile(rf"[^{STOP}]+(?:[{STOP}]+[\"')\]*]*|$)")


class Sentence(NamedTuple):
    """A sentence of a text in normalised spelling, and where it starts.

    `item`: its line is an item of a list or a heading. `code`: it stands in a code fence. `quoted`: a quotation is open
    where it starts.
    """

    start: int
    text: str
    item: bool
    code: bool
    quoted: bool


def sentences(text: str, limit: int) -> list[Sentence]:
    """The first `limit` sentences of a text and, if that is not all of it, the last few.

    However long the text is, only its beginning and its end are looked at.
    """
    found = _sentences(text, 0, min(len(text), SEEN), limit)
    read = found[-1].start + len(found[-1].text) if found else 0
    rest = max(read, len(text) - END)
    return found + _sentences(text, rest, len(text), END)[-LAST:] if rest < len(text) else found


def _sentences(text: str, begin: int, end: int, limit: int) -> list[Sentence]:
    found: list[Sentence] = []
    code = False
    for line in text[begin:end].split("\n"):
        if line.lstrip().startswith(FENCE):
            code = not code
        elif line:
            found += _of_line(line, begin, code)
            if len(found) >= limit:
                break
        begin += len(line) + 1
    return found[:limit]


def _of_line(line: str, base: int, code: bool) -> list[Sentence]:
    prefix = ITEM.match(line)
    spans = [piece.span() for piece in SENTENCE.finditer(line, prefix.end() if prefix else 0)]
    if len(line) > LONGEST:
        spans = [(at, min(at + LONGEST, end)) for start, end in spans for at in range(start, end, LONGEST)]
    item, quotes = prefix is not None, '"' in line
    return [
        Sentence(base + start, line[start:end], item, code, quotes and line.count('"', 0, start) % 2 == 1)
        for start, end in spans
        if end - start > ENOUGH or not line[start:end].isspace()
    ]
