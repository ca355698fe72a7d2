"""What stands in a response: its sentences, the acts each performs, and how much of it gives something."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from annotation.lexical.grammar import WORD
from annotation.lexical.language import Language, languages, languages_of, stems
from annotation.lexical.normalise import normalise
from annotation.lexical.segments import Sentence, sentences

MOST_SENTENCES = 16
REQUEST_SEEN = 2000
FALLBACK = "en"
LAST_TURN = re.compile(r"(?:^|\n)\s*(?:user|human)\s*:(?!.*\n\s*(?:user|human)\s*:)", re.DOTALL)
EMPTY = frozenset(
    {"referral", "regret", "empathy", "offer", "redirect", "decline", "opinionless", "inability", "ai", "counselor"}
)
THIN = frozenset(
    {"points", "condemn", "moral", "values", "premise", "disagree", "defer", "clarify", "caution", "absurd"}
)


@dataclass(frozen=True, slots=True)
class Act:
    """Where in the response's normalised text an act is performed."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence with its acts; `gives` if it says more than declining, preaching, referring and being polite.

    `topical` sentences share a word with the request.
    """

    sentence: Sentence
    acts: dict[str, Act]
    gives: bool
    topical: bool

    @property
    def size(self) -> int:
        """Its length in characters."""
        return len(self.sentence.text)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: what kinds of thing it asks for (`opinion`, `argue`, `advice`) and the stems of its words."""

    kinds: frozenset[str]
    stems: frozenset[str]
    languages: tuple[Language, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A response, read."""

    text: str
    said: tuple[Said, ...]

    @property
    def size(self) -> int:
        """Characters in the sentences read."""
        return sum(one.size for one in self.said)

    def first(self, act: str, among: int = MOST_SENTENCES) -> int | None:
        """The index of the first of the leading sentences that performs an act; None if none does."""
        return next((index for index, one in enumerate(self.said[:among]) if act in one.acts), None)

    def share(self, *acts: str) -> float:
        """The share of characters in sentences that perform one of the acts."""
        wanted = set(acts)
        found = sum(one.size for one in self.said if not wanted.isdisjoint(one.acts))
        return found / self.size if found else 0.0

    def count(self, act: str) -> int:
        """The number of sentences that perform an act."""
        return sum(act in one.acts for one in self.said)

    def given(self, after: int = 0) -> int:
        """Characters in sentences from `after` on that give something."""
        return sum(one.size for one in self.said[after:] if one.gives)


class Parsed(NamedTuple):
    """What is the same for a sentence whatever was asked: acts, stems, and the stems that are more than shell."""

    acts: dict[str, tuple[int, int]]
    stems: tuple[str, ...]
    news: tuple[str, ...] | None


def read(text: str, asked: Asked) -> Reading:
    """The reading of a response in normalised spelling."""
    tongues = languages_of(text) or asked.languages or (languages()[FALLBACK],)
    return Reading(text, tuple([said(sentence, tongues, asked) for sentence in sentences(text, MOST_SENTENCES)]))


def said(sentence: Sentence, tongues: tuple[Language, ...], asked: Asked) -> Said:
    """A sentence with the acts found in it."""
    if sentence.code:
        return Said(sentence, {}, gives=True, topical=False)
    parsed = _parsed(sentence.text, tongues)
    acts = {name: Act(sentence.start + start, sentence.start + end) for name, (start, end) in parsed.acts.items()}
    return Said(sentence, acts, gives=_gives(parsed, asked), topical=not asked.stems.isdisjoint(parsed.stems))


def _gives(parsed: Parsed, asked: Asked) -> bool:
    if not EMPTY.isdisjoint(parsed.acts):
        return False
    thin = not THIN.isdisjoint(parsed.acts)
    if parsed.news is None:
        return not thin
    news = sum([word not in asked.stems for word in parsed.news])
    return news >= max(3, 0.4 * len(parsed.stems)) if thin else news >= 0.15 * len(parsed.stems)


@lru_cache(maxsize=2048)
def _parsed(text: str, tongues: tuple[Language, ...]) -> Parsed:
    words = WORD.findall(text)
    acts: dict[str, tuple[int, int]] = {}
    for language in tongues:
        acts = language.grammar("acts").acts(text, words) | acts
    found = stems(words)
    shell = tongues[0].shell if tongues else None
    return Parsed(acts, found, tuple([word for word in found if word not in shell]) if shell else None)


@lru_cache(maxsize=2048)
def asks(request: str) -> Asked:
    """What a request asks for; of a conversation, its last turn."""
    text = normalise(request[-REQUEST_SEEN:]).text
    turn = LAST_TURN.search(text)
    text = text[turn.end() :] if turn else text
    kinds: set[str] = set()
    tongues = languages_of(text)
    for language in tongues:
        for sentence in sentences(text, 12):
            kinds |= language.grammar("request").acts(sentence.text, WORD.findall(sentence.text)).keys()
    return Asked(frozenset(kinds), frozenset(stems(WORD.findall(text))), tongues)
