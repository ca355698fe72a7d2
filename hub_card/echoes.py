"""Finds pieces of withheld texts where they are not expected: a judge's quote elsewhere, an error message, a card."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import NamedTuple

from hub_card.windows import HashSet, aligned_hashes, batches, encode, hits, window_hashes

PIECE = 40
GRAM = PIECE // 2
# Every 20 bytes in a row contain a window of 10 that starts at a multiple of 11.
WINDOW = GRAM // 2
STRIDE = GRAM - WINDOW + 1
GROUP = 2_000

Texts = Callable[[], Iterable[str]]


class Place(NamedTuple):
    """A gram in a withheld text with what stands around it: enough to tell whether 40 characters agree."""

    around: str
    start: int
    wanted: int


class Echoes:
    """Finds texts that hold 40 characters in a row (or all, if it has fewer) of a withheld text.

    Pieces that also stand in a text published by rule are no echoes, nor are texts of less than 20 characters. Both
    kinds of texts are read again for each search that needs them; kept are 8 bytes for 20 of a withheld text.
    """

    def __init__(self, withheld: Texts, published: Texts) -> None:
        self._withheld, self._published = withheld, published
        # Every piece of 40 characters contains 20 bytes that start at a multiple of 20 bytes of the withheld text.
        self._grams = HashSet([aligned_hashes(batch, GRAM) for batch in batches(withheld())])

    def among(self, texts: Iterable[str]) -> set[str]:
        """Those of the texts that hold a piece of a withheld text."""
        if not len(self._grams):
            return set()
        suspects = iter(self._suspects(texts))
        found: set[str] = set()
        while group := list(islice(suspects, GROUP)):
            found |= self._echoing(group)
        return found

    def _suspects(self, texts: Iterable[str]) -> list[str]:
        found: dict[str, None] = {}
        for batch in batches(texts):
            found |= dict.fromkeys(batch[at] for at, _ in hits(batch, self._grams, GRAM, 1))
        return list(found)

    def _echoing(self, suspects: list[str]) -> set[str]:
        wanted = {text[at : at + GRAM] for text in suspects for at in range(len(text) - GRAM + 1)}
        places = _places(self._withheld(), wanted)
        pieces = {text: set(_shared(text, places)) for text in suspects}
        public = standing_in(self._published(), set(chain.from_iterable(pieces.values())))
        return {text for text, found in pieces.items() if found - public}


def standing_in(texts: Iterable[str], pieces: set[str]) -> set[str]:
    """Those of the pieces, each of at least 20 characters, that stand in a text."""
    found: set[str] = set()
    if not pieces:
        return found
    by_hash: dict[int, list[str]] = defaultdict(list)
    for piece in pieces:
        for known in window_hashes(encode(piece)[:GRAM], WINDOW, 1).tolist():
            by_hash[known].append(piece)
    windows = HashSet([window_hashes(encode(piece)[:GRAM], WINDOW, 1) for piece in pieces])
    for batch in batches(texts):
        for at, known in dict.fromkeys(hits(batch, windows, WINDOW, STRIDE)):
            found.update([piece for piece in by_hash[known] if piece not in found and piece in batch[at]])
        if len(found) == len(pieces):
            break
    return found


def _places(withheld: Iterable[str], wanted: set[str]) -> dict[str, set[Place]]:
    places: dict[str, set[Place]] = defaultdict(set)
    for text in withheld:
        for at in range(0, len(text) - GRAM + 1, GRAM):
            gram = text[at : at + GRAM]
            if gram in wanted:
                left = max(0, at - GRAM)
                places[gram].add(Place(text[left : at + PIECE], at - left, min(PIECE, len(text))))
    return places


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
