"""Which words are most telling of a level: seen in many of its requests and in few of the others."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from builder.leakage.features import words
from schemas.records import Request
from schemas.vocabulary import HarmLevel


class TellingWord(NamedTuple):
    """A word, in how many requests of the level and of the others it occurs, and its log odds ratio in z units."""

    level: HarmLevel
    word: str
    inside: int
    n_inside: int
    outside: int
    n_outside: int
    z: float


def telling_words(requests: Sequence[Request], per_level: int = 8) -> tuple[TellingWord, ...]:
    """The words with the highest z of each level, level by level.

    A request counts once for a word, in whichever of its texts it stands. z is the log odds ratio of the 2 × 2 table
    with ½ added to each cell, over its standard error (Haldane 1956, doi:10.1111/j.1469-1809.1955.tb01285.x).
    """
    found: list[TellingWord] = []
    sizes = Counter(request.level for request in requests)
    met = Counter((request.level, word) for request in requests for word in _words_of(request))
    overall = Counter(word for request in requests for word in _words_of(request))
    for level in sorted(sizes):
        rest = len(requests) - sizes[level]
        scored = [
            TellingWord(level, word, met[level, word], sizes[level], count - met[level, word], rest, z)
            for word, count in overall.items()
            if (z := log_odds_z(met[level, word], sizes[level], count - met[level, word], rest)) > 0
        ]
        found += sorted(scored, key=lambda item: (-item.z, item.word))[:per_level]
    return tuple(found)


def log_odds_z(inside: int, n_inside: int, outside: int, n_outside: int) -> float:
    """ln(OR) / SE with ½ added to each cell of (inside, n_inside − inside; outside, n_outside − outside)."""
    a, b, c, d = inside + 0.5, n_inside - inside + 0.5, outside + 0.5, n_outside - outside + 0.5
    return math.log(a * d / (b * c)) / math.sqrt(1 / a + 1 / b + 1 / c + 1 / d)


def _words_of(request: Request) -> set[str]:
    return {word for text in (request.text, *(p.text for p in request.paraphrases)) for word in words(text)}
