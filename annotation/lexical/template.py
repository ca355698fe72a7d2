"""The small pattern language of the language files, and turning it into regular expressions that cannot run away.

A template is a row of items: a word, `word*` (any ending), `{list}` (any phrase of the named list), `(a|b c)` (any of
these), `~3` (up to three words in between; characters in scripts without spaces) and `^` (the sentence starts here).
A list or a choice may be optional: `{list}?`. Gaps are bounded, so matching is too.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from annotation.lexical.script import Script

ITEM = re.compile(r"\{\w+\}\??|\([^)]*\)\??|~\d+|\^|[^\s{}()]+")

Lists = Mapping[str, Sequence[str]]
Need = frozenset[str]


class Template:
    """A template of a language file; its expression is compiled when first searched for.

    `needs` holds, for each obligatory item, pieces of text of which one stands in everything that matches. Raises
    ValueError on a list that is not defined or a template without words.
    """

    def __init__(self, text: str, lists: Lists, script: Script) -> None:
        self._text, self._lists, self._script = text, lists, script
        self.needs: tuple[Need, ...] = tuple(
            frozenset(_longest(phrase, script) for phrase in _phrases(item, lists))
            for item in ITEM.findall(text)
            if item[0] not in "~^" and not _optional(item)
        )
        if not self.needs:
            raise ValueError(f"template {text!r} holds no word that must be there")

    @cached_property
    def expression(self) -> re.Pattern[str]:
        """The template as a regular expression."""
        return re.compile(_expression(self._text, self._lists, self._script))

    def search(self, plain: str) -> tuple[int, int] | None:
        """Where in a sentence the template first matches; `plain` is the sentence as its script wants it."""
        match = self.expression.search(plain)
        return None if match is None else (match.start(), match.end() - self._script.beyond)


def _expression(template: str, lists: Lists, script: Script) -> str:
    parts = [script.opening if template.startswith("^") else script.start]
    started = False
    for item in ITEM.findall(template.removeprefix("^")):
        if item.startswith("~"):
            parts.append((script.gap if started else script.gap_before) % int(item[1:]))
        else:
            parts.append(_step(item, lists, script, started))
            started = started or not _optional(item)
    return "".join([*parts, script.end])


def _step(item: str, lists: Lists, script: Script, started: bool) -> str:
    choice = "|".join(_phrase(phrase, script) for phrase in _phrases(item, lists))
    body = f"(?:{choice})" if "|" in choice else choice
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
    words = [re.escape(word).replace(r"\*", f"{script.letter}*") for word in script.phrase(phrase)]
    return script.between.join(words)


def _longest(phrase: str, script: Script) -> str:
    return max(script.phrase(phrase), key=lambda word: len(word.strip("*")))
