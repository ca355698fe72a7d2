"""Finds pieces of withheld texts where they are not expected: a judge's quote elsewhere, an error message, a card."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from hub_card.redact import is_marker, withhold

PIECE = 40
GRAM = PIECE // 2
DERIVED = {
    "predictions": ("text", "reason"),
    "judgments": ("evidence", "reason"),
    "annotations": ("note",),
    "labels": ("route_reason",),
    "attempts": ("error", "stop_reason"),
    "responses": ("stop_reason",),
    "datapoints": ("route_reason",),
}

Rows = Mapping[str, Sequence[Any]]
Echoes = Callable[[str], bool]


class Place(NamedTuple):
    """A gram in a withheld text with what stands around it: enough to tell whether 40 characters agree."""

    around: str
    start: int
    wanted: int


def echo_finder(withheld: Iterable[str], published: Iterable[str]) -> Echoes:
    """A test whether a text holds 40 characters in a row (or all, if it has fewer) of a withheld text.

    Pieces that also stand in a text published by rule are no echoes, nor are texts of less than 20 characters. Every
    piece of 40 characters contains one of the withheld text's aligned 20-character grams, so only those are indexed.
    """
    places: dict[str, set[Place]] = defaultdict(set)
    for text in dict.fromkeys(withheld):
        for at in range(0, len(text) - GRAM + 1, GRAM):
            left = max(0, at - GRAM)
            around = text[left : at + PIECE]
            places[text[at : at + GRAM]].add(Place(around, at - left, min(PIECE, len(text))))
    public = "\0".join(dict.fromkeys(published))

    @cache
    def is_public(piece: str) -> bool:
        return piece in public

    def echoes(text: str) -> bool:
        return any(not is_public(piece) for piece in _shared(text, places))

    return echoes


def withhold_echoes(tables: Rows, echoes: Echoes) -> dict[str, list[Any]]:
    """The tables with every derived cell withheld that holds a piece of a withheld text."""
    return {name: [_clean(row, DERIVED.get(name, ()), echoes) for row in rows] for name, rows in tables.items()}


def published_texts(tables: Rows) -> Iterator[str]:
    """What is public by rule: the texts that were sent, and the responses that are kept."""
    for name in ("requests", "variants"):
        yield from (row.text for row in tables[name])
    yield from (row.text for row in tables["responses"] if row.text and not row.redacted)


def _shared(text: str, places: Mapping[str, set[Place]]) -> Iterator[str]:
    for at in range(len(text) - GRAM + 1):
        for place in places.get(text[at : at + GRAM], ()):
            piece = _widened(text, at, place)
            if len(piece) >= place.wanted:
                yield piece


def _widened(text: str, at: int, place: Place) -> str:
    around, start, left, right = place.around, place.start, 0, GRAM
    while left < min(at, start) and text[at - left - 1] == around[start - left - 1]:
        left += 1
    while right < min(len(text) - at, len(around) - start) and text[at + right] == around[start + right]:
        right += 1
    return text[at - left : at + right]


def _clean(row: Any, columns: tuple[str, ...], echoes: Echoes) -> Any:
    found = {}
    for column in columns:
        text = getattr(row, column)
        if text and not is_marker(text) and echoes(text):
            found[column] = withhold(text)
    return replace(row, **found) if found else row
