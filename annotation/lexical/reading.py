"""What stands in a response: its sentences, the acts each performs, and how much of it gives something."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from annotation.lexical.language import Language, languages_of, stems
from annotation.lexical.normalise import normalise
from annotation.lexical.segments import Sentence, sentences

MOST_SENTENCES = 16
REQUEST_SEEN = 2000
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


def read(text: str, asked: Asked) -> Reading:
    """The reading of a response in normalised spelling."""
    tongues = languages_of(text)
    return Reading(text, tuple(said(sentence, tongues, asked) for sentence in sentences(text, MOST_SENTENCES)))


def said(sentence: Sentence, tongues: Sequence[Language], asked: Asked) -> Said:
    """A sentence with the acts found in it."""
    if sentence.code:
        return Said(sentence, {}, gives=True, topical=False)
    spans = _acts(sentence.text, tuple(tongues))
    acts = {name: Act(sentence.start + start, sentence.start + end) for name, (start, end) in spans.items()}
    words = stems(sentence.text)
    topical = not asked.stems.isdisjoint(words)
    return Said(sentence, acts, gives=_gives(words, spans.keys(), tongues, asked), topical=topical)


def _gives(words: Sequence[str], acts: Collection[str], tongues: Sequence[Language], asked: Asked) -> bool:
    if not EMPTY.isdisjoint(acts):
        return False
    thin = not THIN.isdisjoint(acts)
    shell: frozenset[str] = tongues[0].shell if tongues else frozenset()
    if not shell:
        return not thin
    news = sum(word not in shell and word not in asked.stems for word in words)
    return news >= max(3, 0.4 * len(words)) if thin else news >= 0.15 * len(words)


@lru_cache(maxsize=2048)
def _acts(text: str, tongues: tuple[Language, ...]) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for language in tongues:
        for name, match in language.grammar("acts").acts(text).items():
            found.setdefault(name, match.span())
    return found


@lru_cache(maxsize=2048)
def asks(request: str) -> Asked:
    """What a request asks for; of a conversation, its last turn."""
    text = normalise(request[-REQUEST_SEEN:]).text
    turn = LAST_TURN.search(text)
    text = text[turn.end() :] if turn else text
    kinds: set[str] = set()
    for language in languages_of(text):
        for sentence in sentences(text, 12):
            kinds |= language.grammar("request").acts(sentence.text).keys()
    return Asked(frozenset(kinds), frozenset(stems(text)))
