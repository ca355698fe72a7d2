"""Cutting a response into sentences, with what kind of text each stands in."""

import re
from typing import NamedTuple

SEEN = 4000
LONGEST = 500
LINE = re.compile(r"[^\n]+")
ITEM = re.compile(r"\s*(?:[-*•·–+]|\(?\d{1,2}[.):、]|\(?[a-h][.)]|#{1,6}|step \d+)\s+")
SENTENCE = re.compile(r"[^.!?…。！？؟।]+(?:[.!?…。！？؟।]+[\"')\]*]*|$)|[.!?…。！？؟।]+")


class Sentence(NamedTuple):
    """A sentence in normalised text; `item` if its line is an item of a list or a heading, `code` inside a fence."""

    start: int
    text: str
    item: bool
    code: bool


def sentences(text: str, limit: int) -> list[Sentence]:
    """The first `limit` sentences of a text; very long ones are cut into pieces."""
    found: list[Sentence] = []
    code = False
    for line in LINE.finditer(text, 0, SEEN):
        whole = line.group()
        if whole.lstrip().startswith("```"):
            code = not code
            continue
        prefix = ITEM.match(whole)
        begin = prefix.end() if prefix else 0
        found += _pieces(whole, begin, line.start(), prefix is not None, code)
        if len(found) >= limit:
            break
    return found[:limit]


def _pieces(line: str, begin: int, base: int, item: bool, code: bool) -> list[Sentence]:
    found = []
    for piece in SENTENCE.finditer(line, begin):
        for start in range(piece.start(), piece.end(), LONGEST):
            text = line[start : min(start + LONGEST, piece.end())]
            if len(text.strip()) > 1:
                found.append(Sentence(base + start, text, item, code))
    return found
