"""The languages the judge knows, one file each, and which of them a text is in."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from annotation.lexical.grammar import Grammar
from annotation.lexical.template import ANY_WORD, INDIC, LATIN, UNSPACED, Script

FOLDER = Path(__file__).parent / "languages"
SEEN_CHARACTERS = 240
SEEN_LETTERS = 120
MOSTLY = 0.4
SECOND_SCRIPT = 0.15
CLOSE = 0.6
UNIQUE = 3
SHARED = 2
COMMON = "en"
CLEAR = 20
STEM = 6
SHORTEST = 4
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
UNSPACED_SCRIPTS = frozenset({"han", "kana", "thai", "khmer", "burmese", "lao"})
PLAIN_SCRIPTS = frozenset({"latin", "cyrillic", "arabic", "hangul", "greek", "georgian", "armenian", "ethiopic"})


def stem(word: str) -> str:
    """The beginning of a word, by which its forms are taken for one."""
    return word[:STEM]


def stems(words: Iterable[str]) -> tuple[str, ...]:
    """The stems of the longer ones among words in lower case, in order."""
    return tuple([word[:STEM] for word in words if len(word) >= SHORTEST])


class Language:
    """One language, from its file; its grammars are built when first asked for. Two are equal only if identical."""

    def __init__(self, source: dict[str, Any]) -> None:
        self.code: str = source["code"]
        self.script: str = source["script"]
        self.words: tuple[str, ...] = tuple(source["words"])
        self.shell = frozenset(map(stem, source.get("shell", ())))
        self._source = source

    def __repr__(self) -> str:
        return f"Language({self.code!r})"

    @cached_property
    def writing(self) -> Script:
        """How its words are kept apart."""
        if self.script in UNSPACED_SCRIPTS:
            return UNSPACED
        return LATIN if self.script in PLAIN_SCRIPTS else INDIC

    @cached_property
    def response_acts(self) -> Grammar:
        """The acts of speech of a response."""
        return self._grammar("acts")

    @cached_property
    def aside_acts(self) -> Grammar:
        """Acts of a response that matter only beside a refusal."""
        return self._grammar("aside")

    @cached_property
    def request_kinds(self) -> Grammar:
        """The kinds of a request."""
        return self._grammar("request")

    def _grammar(self, part: str) -> Grammar:
        return Grammar(self._source.get(part, {}), self._source.get("lists", {}), self.writing, frozenset(self.words))

    def telling_words(self) -> set[str]:
        """The longer words of its refusals and questions, which tell the language of a text with few common words."""
        acts = [self._source["acts"]["decline"], self._source["acts"].get("regret", ())]
        texts = chain(self._source["lists"].get("firm", ()), *acts, *self._source.get("request", {}).values())
        return {word for text in texts for word in ANY_WORD.findall(text) if len(word) > SHORTEST}


@cache
def languages() -> dict[str, Language]:
    """All languages by code."""
    known = {}
    for path in sorted(FOLDER.glob("*.yaml")):
        source = yaml.load(path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
        _check(path.name, source)
        known[source["code"]] = Language(source)
    return known


def _check(file: str, source: dict[str, Any]) -> None:
    lists = {"words": source["words"], **source.get("lists", {})}
    for name, phrases in lists.items():
        strange = [phrase for phrase in phrases if not isinstance(phrase, str)]
        if strange or not isinstance(name, str):
            raise ValueError(
                f"{file}: list {name!r} must hold words, got {strange}; quote what YAML reads as yes or no"
            )


@cache
def _by_word() -> dict[str, tuple[str, ...]]:
    return _languages_by(lambda language: language.words)


@cache
def _common_words() -> frozenset[str]:
    return frozenset(languages()[COMMON].words)


@cache
def _by_telling_word() -> dict[str, tuple[str, ...]]:
    return _languages_by(lambda language: tuple(language.telling_words()))


def _languages_by(words: Callable[[Language], Iterable[str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for language in languages().values():
        for word in words(language):
            found.setdefault(word, []).append(language.code)
    return {word: tuple(codes) for word, codes in found.items()}


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
        codes += candidates if len(candidates) < 2 else _likely(text, candidates)
    return tuple(languages()[code] for code in codes)


def _scripts(text: str) -> list[str]:
    if text.isascii():
        return ["latin"]
    blocks = [ord(letter) >> BLOCK for letter in text[:SEEN_LETTERS] if letter.isalpha()]
    letters = Counter(SCRIPT_OF_BLOCK[block] for block in blocks if block in SCRIPT_OF_BLOCK)
    if letters["kana"]:
        letters["kana"] += letters.pop("han", 0)
    return [script for script, count in letters.most_common(2) if count > SECOND_SCRIPT * len(blocks)]


def _likely(text: str, candidates: Sequence[str]) -> list[str]:
    seen = text[:SEEN_CHARACTERS]
    words = (LATIN if seen.isascii() else INDIC).words(seen)
    if COMMON in candidates and sum([word in _common_words() for word in words]) > MOSTLY * len(words):
        return [COMMON]
    votes = dict.fromkeys(candidates, 0)
    _vote(words, _by_word(), votes)
    if max(votes.values()) < CLEAR:
        _vote(words, _by_telling_word(), votes)
    most = max(votes.values())
    close = sorted((-count, code) for code, count in votes.items() if count > CLOSE * most)
    codes = [code for _, code in close[:3]]
    unclear = codes and most < CLEAR and COMMON in votes and COMMON not in codes
    return [*codes, COMMON] if unclear else codes


def _vote(words: Iterable[str], index: Mapping[str, Sequence[str]], votes: dict[str, int]) -> None:
    for codes in [index[word] for word in words if word in index]:
        weight = UNIQUE if len(codes) == 1 else SHARED
        for code in codes:
            if code in votes:
                votes[code] += weight
