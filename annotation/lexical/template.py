"""The small pattern language of the language files, and turning it into regular expressions that cannot run away.

A template is a row of items: a word, `word*` (any ending), `{list}` (any phrase of the named list), `(a|b c)` (any of
these), `~3` (up to three words in between; characters in scripts without spaces) and `^` (the sentence starts here).
A list or a choice may be optional: `{list}?`. Gaps are bounded, so matching is too.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

ITEM = re.compile(r"\{\w+\}\??|\([^)]*\)\??|~\d+|\^|[^\s{}()]+")
LETTER = r"\w'\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0dff\u0e00-\u0eff\u0f00-\u109f\u1780-\u17ff"
WORD_START = f"(?<![{LETTER}])"
WORD_END = f"(?![{LETTER}])"


class Script(NamedTuple):
    """How words are kept apart: the expressions between two words and for a gap of up to `%d` words."""

    between: str
    gap: str
    start: str
    end: str


SPACED = Script(f"[^{LETTER}]+", f"(?:[^{LETTER}]+[{LETTER}]+){{0,%d}}?", WORD_START, WORD_END)
UNSPACED = Script(r"\s*", ".{0,%d}?", "", "")


class Pattern(NamedTuple):
    """An expression, and the words and pieces of words of which at least one stands in everything it matches."""

    expression: re.Pattern[str]
    words: frozenset[str]
    pieces: frozenset[str]


def compile_templates(templates: Sequence[str], lists: Mapping[str, Sequence[str]], script: Script) -> Pattern:
    """One pattern for all templates. Raises ValueError on a list that is not defined or a template without words."""
    built = [_expression(template, lists, script) for template in templates]
    whole = re.compile(f"{script.start}(?:{'|'.join(built)})")
    triggers = [phrase for template in templates for phrase in _rarest(template, lists)]
    if script is UNSPACED:
        return Pattern(whole, frozenset(), frozenset(_longest(phrase).strip("*") for phrase in triggers))
    longest = {_longest(phrase) for phrase in triggers}
    pieces = frozenset(word.strip("*") for word in longest if "*" in word)
    return Pattern(whole, frozenset(word for word in longest if "*" not in word), pieces)


def _expression(template: str, lists: Mapping[str, Sequence[str]], script: Script) -> str:
    parts: list[str] = []
    started = False
    for item in ITEM.findall(template):
        if item == "^":
            parts.append(rf"\A[^{LETTER}]*")
        elif item.startswith("~"):
            parts.append(script.gap % int(item[1:]))
        else:
            parts.append(_step(item, lists, script, started))
            started = started or not item.endswith("?")
    return "".join(parts)


def _step(item: str, lists: Mapping[str, Sequence[str]], script: Script, started: bool) -> str:
    optional = item.endswith("?") and item[0] in "{("
    choice = "|".join(_phrase(phrase, script) for phrase in _phrases(item, lists))
    body = f"(?:{choice}){script.end}"
    if not optional:
        return f"{script.between}{body}" if started else body
    return f"(?:{script.between}{body})?" if started else f"(?:{body}{script.between})?"


def _phrases(item: str, lists: Mapping[str, Sequence[str]]) -> Sequence[str]:
    bare = item[:-1] if item.endswith("?") and item[0] in "{(" else item
    if bare.startswith("{"):
        name = bare[1:-1]
        if name not in lists:
            raise ValueError(f"template item {item}: no list is named {name!r}; there are {', '.join(sorted(lists))}")
        return lists[name]
    return bare[1:-1].split("|") if bare.startswith("(") else [bare]


def _phrase(phrase: str, script: Script) -> str:
    words = [re.escape(word).replace(r"\*", f"[{LETTER}]*") for word in phrase.split()]
    return script.between.join(words)


def _rarest(template: str, lists: Mapping[str, Sequence[str]]) -> Sequence[str]:
    options = [
        _phrases(item, lists)
        for item in ITEM.findall(template)
        if item[0] not in "~^" and not (item.endswith("?") and item[0] in "{(")
    ]
    if not options:
        raise ValueError(f"template {template!r} holds no word that must be there")
    return max(options, key=lambda phrases: min(len(_longest(phrase).strip("*")) for phrase in phrases))


def _longest(phrase: str) -> str:
    return max(phrase.split(), key=lambda word: len(word.strip("*")))
