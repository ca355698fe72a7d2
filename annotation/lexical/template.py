"""The small pattern language of the language files, and turning it into regular expressions that cannot run away.

A template is a row of items: a word, `word*` (any ending), `{list}` (any phrase of the named list), `(a|b c)` (any of
these), `~3` (up to three words in between; characters in scripts without spaces) and `^` (the sentence starts here).
A list or a choice may be optional: `{list}?`. Gaps are bounded, so matching is too.
"""

import re
import string
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

ITEM = re.compile(r"\{\w+\}\??|\([^)]*\)\??|~\d+|\^|[^\s{}()]+")
PLAIN = r"\w'"
MARKED = (
    r"\w'\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0df3\u0e00-\u0eff"
    r"\u0f00-\u1049\u1050-\u109f\u1780-\u17d3"
)

Lists = Mapping[str, Sequence[str]]
Need = frozenset[str]


class Script(NamedTuple):
    """How words are kept apart: what stands between two words, a gap of up to `%d` words after a word and before
    the first, the end of a word, the words of a text, and whether a word may start after a character.
    """

    letter: str
    between: str
    gap: str
    gap_before: str
    end: str
    words: Callable[[str], list[str]]
    starts_after: Callable[[str], bool]


def spaced(letter: str, starts_after: Callable[[str], bool], words: Callable[[str], list[str]]) -> Script:
    """A script with spaces between words made of these letters (the inside of a character class)."""
    return Script(
        letter=letter,
        between=f"[^{letter}]+",
        gap=f"(?:[^{letter}]+[{letter}]+){{0,%d}}?",
        gap_before=f"(?:[{letter}]+[^{letter}]+){{0,%d}}?",
        end=f"(?![{letter}])",
        words=words,
        starts_after=starts_after,
    )


ANY_WORD = re.compile(f"[{MARKED}]+")
NO_MARKED = re.compile(f"[^{MARKED}]")
PLAIN_WORD = re.compile(f"[{PLAIN}]+")
PUNCTUATION = bytes(32 if chr(code) in string.punctuation and chr(code) not in "'_" else code for code in range(256))


def _plain_words(text: str) -> list[str]:
    if not text.isascii():
        return PLAIN_WORD.findall(text)
    return text.encode("ascii").translate(PUNCTUATION).decode("ascii").split()


def _is_no_letter(character: str) -> bool:
    return not (character.isalnum() or character in "'_")


def _is_no_marked_letter(character: str) -> bool:
    return NO_MARKED.match(character) is not None


LATIN = spaced(PLAIN, _is_no_letter, _plain_words)
INDIC = spaced(MARKED, _is_no_marked_letter, ANY_WORD.findall)
UNSPACED = Script(MARKED, r"\s*", ".{0,%d}?", ".{0,%d}?", end="", words=ANY_WORD.findall, starts_after=lambda _: True)


class Template:
    """A template of a language file; its expression is compiled when first searched for.

    `needs` holds, for each obligatory item, pieces of text of which one stands in everything that matches. Raises
    ValueError on a list that is not defined or a template without words.
    """

    def __init__(self, text: str, lists: Lists, script: Script) -> None:
        self._text, self._lists, self._script = text, lists, script
        self.needs: tuple[Need, ...] = tuple(
            frozenset(_longest(phrase) for phrase in _phrases(item, lists))
            for item in ITEM.findall(text)
            if item[0] not in "~^" and not _optional(item)
        )
        if not self.needs:
            raise ValueError(f"template {text!r} holds no word that must be there")

    @cached_property
    def expression(self) -> re.Pattern[str]:
        """The template as a regular expression that may start inside a word: `search` looks at that."""
        return re.compile(_expression(self._text, self._lists, self._script))

    def search(self, sentence: str) -> tuple[int, int] | None:
        """Where the template first matches in a sentence.

        The start of a word is looked at here, not in the expression: so that can skip to letters that may begin it.
        """
        match = self.expression.search(sentence)
        while match is not None:
            start = match.start()
            if start == 0 or self._script.starts_after(sentence[start - 1]):
                return match.span()
            match = self.expression.search(sentence, start + 1)
        return None


def _expression(template: str, lists: Lists, script: Script) -> str:
    parts: list[str] = []
    started = False
    for item in ITEM.findall(template):
        if item == "^":
            parts.append(rf"\A[^{script.letter}]*")
        elif item.startswith("~"):
            parts.append((script.gap if started else script.gap_before) % int(item[1:]))
        else:
            parts.append(_step(item, lists, script, started))
            started = started or not _optional(item)
    return "".join(parts)


def _step(item: str, lists: Lists, script: Script, started: bool) -> str:
    choice = "|".join(_phrase(phrase, script) for phrase in _phrases(item, lists))
    body = f"(?:{choice}){script.end}"
    if not _optional(item):
        return f"{script.between}{body}" if started else body
    return f"(?:{script.between}{body})?" if started else f"(?:{body}{script.between})?"


def _optional(item: str) -> bool:
    return item.endswith("?") and item[0] in "{("


def _phrases(item: str, lists: Lists) -> Sequence[str]:
    bare = item[:-1] if _optional(item) else item
    if bare.startswith("{"):
        name = bare[1:-1]
        if name not in lists:
            raise ValueError(f"template item {item}: no list is named {name!r}; there are {', '.join(sorted(lists))}")
        return lists[name]
    return bare[1:-1].split("|") if bare.startswith("(") else [bare]


def _phrase(phrase: str, script: Script) -> str:
    words = [re.escape(word).replace(r"\*", f"[{script.letter}]*") for word in phrase.split()]
    return script.between.join(words)


def _longest(phrase: str) -> str:
    return max(phrase.split(), key=lambda word: len(word.strip("*")))
