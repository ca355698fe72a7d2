"""The languages the judge knows, one file each."""

from collections.abc import Iterable
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from annotation.lexical.grammar import Grammar
from annotation.lexical.script import ANY_WORD, INDIC, LATIN, UNSPACED, Script

FOLDER = Path(__file__).parent / "languages"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
STEM = 6
SHORTEST = 4
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
        source = yaml.load(path.read_text(encoding="utf-8"), LOADER)  # noqa: S506 - the loader is yaml's safe one
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
