"""Which of the known languages a text is in: by its script, then by its common words, then by telling ones."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from itertools import chain

from annotation.lexical.language import Language, languages
from annotation.lexical.script import words_of

SEEN_CHARACTERS = 240
SEEN_LETTERS = 120
MOSTLY = 0.4
SECOND_SCRIPT = 0.15
CLOSE = 0.6
UNIQUE = 3
SHARED = 2
COMMON = "en"
CLEAR = 20
BLOCK = 7
SCRIPTS = {
    "latin": [(0x0041, 0x024F), (0x1E00, 0x1EFF)],
    "greek": [(0x0370, 0x03FF), (0x1F00, 0x1FFF)],
    "cyrillic": [(0x0400, 0x04FF)],
    "armenian": [(0x0530, 0x057F)],
    "hebrew": [(0x0590, 0x05FF)],
    "arabic": [(0x0600, 0x06FF), (0xFB50, 0xFEFC)],
    "devanagari": [(0x0900, 0x097F)],
    "bengali": [(0x0980, 0x09FF)],
    "gurmukhi": [(0x0A00, 0x0A7F)],
    "gujarati": [(0x0A80, 0x0AFF)],
    "tamil": [(0x0B80, 0x0BFF)],
    "telugu": [(0x0C00, 0x0C7F)],
    "kannada": [(0x0C80, 0x0CFF)],
    "malayalam": [(0x0D00, 0x0D7F)],
    "sinhala": [(0x0D80, 0x0DFF)],
    "thai": [(0x0E00, 0x0E7F)],
    "lao": [(0x0E80, 0x0EFF)],
    "burmese": [(0x1000, 0x107F)],
    "georgian": [(0x10A0, 0x10FF)],
    "ethiopic": [(0x1200, 0x137F)],
    "khmer": [(0x1780, 0x17FF)],
    "kana": [(0x3040, 0x30FF)],
    "han": [(0x4E00, 0x9FFF)],
    "hangul": [(0xAC00, 0xD7A3)],
}
SCRIPT_OF_BLOCK = {
    block: script
    for script, ranges in SCRIPTS.items()
    for first, last in ranges
    for block in range(first >> BLOCK, (last >> BLOCK) + 1)
}


@cache
def _common_words() -> frozenset[str]:
    return frozenset(languages()[COMMON].words)


@cache
def _by_word(script: str) -> dict[str, tuple[str, ...]]:
    return _votes_by(script, lambda language: language.words)


@cache
def _by_telling_word(script: str) -> dict[str, tuple[str, ...]]:
    return _votes_by(script, lambda language: tuple(language.telling_words()))


def _votes_by(script: str, words: Callable[[Language], Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """Word → the languages of a script that it speaks for, each as many times as it weighs."""
    found: dict[str, list[str]] = {}
    for language in languages().values():
        for word in words(language):
            found.setdefault(word, []).append(language.code)
    own = frozenset(_of_script(script))
    return {
        word: tuple(code for code in codes if code in own) * (UNIQUE if len(codes) == 1 else SHARED)
        for word, codes in found.items()
        if not own.isdisjoint(codes)
    }


@cache
def _of_script(script: str) -> tuple[str, ...]:
    return tuple(language.code for language in languages().values() if language.script == script)


def languages_of(text: str) -> tuple[Language, ...]:
    """The languages a text (in lower case) may be in, likeliest first; several where they are close.

    None if nothing in it tells.
    """
    codes: list[str] = []
    for script in _scripts(text):
        candidates = _of_script(script)
        codes += candidates if len(candidates) < 2 else _likely(text, script)
    return tuple(languages()[code] for code in codes)


def _scripts(text: str) -> list[str]:
    if text.isascii():
        return ["latin"]
    blocks = [ord(letter) >> BLOCK for letter in text[:SEEN_LETTERS] if letter.isalpha()]
    letters = Counter(SCRIPT_OF_BLOCK[block] for block in blocks if block in SCRIPT_OF_BLOCK)
    if letters["kana"]:
        letters["kana"] += letters.pop("han", 0)
    return [script for script, count in letters.most_common(2) if count > SECOND_SCRIPT * len(blocks)]


def _likely(text: str, script: str) -> list[str]:
    words = words_of(text[:SEEN_CHARACTERS])
    known = COMMON in _of_script(script)
    if known and sum(map(_common_words().__contains__, words)) > MOSTLY * len(words):
        return [COMMON]
    votes = Counter(chain.from_iterable(filter(None, map(_by_word(script).get, words))))
    if max(votes.values(), default=0) < CLEAR:
        votes.update(chain.from_iterable(filter(None, map(_by_telling_word(script).get, words))))
    most = max(votes.values(), default=0)
    close = sorted((-count, code) for code, count in votes.items() if count > CLOSE * most)
    codes = [code for _, code in close[:3]]
    unclear = codes and most < CLEAR and known and COMMON not in codes
    return [*codes, COMMON] if unclear else codes
