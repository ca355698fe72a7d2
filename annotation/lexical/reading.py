"""What stands in a response: its sentences, the acts each performs, and how much of it gives something."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from annotation.lexical.language import Language, languages_of
from annotation.lexical.normalise import normalise
from annotation.lexical.segments import Sentence, sentences

MOST_SENTENCES = 16
SHELL = frozenset(
    {
        "decline",
        "opinionless",
        "inability",
        "ai",
        "counselor",
        "regret",
        "empathy",
        "moral",
        "redirect",
        "offer",
        "premise",
        "disagree",
        "defer",
        "clarify",
        "caution",
    }
)


@dataclass(frozen=True, slots=True)
class Act:
    """Where in the response's normalised text an act is performed."""

    start: int
    end: int


@dataclass(frozen=True)
class Said:
    """One sentence with its acts."""

    sentence: Sentence
    acts: dict[str, Act]

    @cached_property
    def gives(self) -> bool:
        """Whether the sentence says something other than declining, preaching, redirecting or being polite."""
        return self.sentence.code or not (self.acts.keys() & SHELL)

    @property
    def size(self) -> int:
        """Its length in characters."""
        return len(self.sentence.text)


@dataclass(frozen=True)
class Reading:
    """A response, read."""

    text: str
    languages: tuple[Language, ...]
    said: tuple[Said, ...]

    def first(self, act: str, among: int = MOST_SENTENCES) -> int | None:
        """The index of the first of the leading sentences that performs an act; None if none does."""
        return next((index for index, one in enumerate(self.said[:among]) if act in one.acts), None)

    def share(self, *acts: str) -> float:
        """The share of characters in sentences that perform one of the acts."""
        wanted = set(acts)
        total = sum(one.size for one in self.said)
        return sum(one.size for one in self.said if not wanted.isdisjoint(one.acts)) / total if total else 0.0

    def given(self, after: int = 0) -> int:
        """Characters in sentences from `after` on that give something."""
        return sum(one.size for one in self.said[after:] if one.gives)


def read(text: str) -> Reading:
    """The reading of a response in normalised spelling."""
    tongues = languages_of(text)
    return Reading(text, tongues, tuple(said(sentence, tongues) for sentence in sentences(text, MOST_SENTENCES)))


def said(sentence: Sentence, tongues: Sequence[Language]) -> Said:
    """A sentence with the acts found in it."""
    if sentence.code:
        return Said(sentence, {})
    spans = _acts(sentence.text, tuple(tongues))
    return Said(sentence, {name: Act(sentence.start + a, sentence.start + b) for name, (a, b) in spans.items()})


@lru_cache(maxsize=2048)
def _acts(text: str, tongues: tuple[Language, ...]) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for language in tongues:
        for name, match in language.grammar("acts").acts(text).items():
            found.setdefault(name, match.span())
    return found


@lru_cache(maxsize=2048)
def asks(request: str) -> frozenset[str]:
    """What kind of thing a request asks for: `opinion`, `argue`, `advice`."""
    text = normalise(request[-2000:]).text
    found: set[str] = set()
    for language in languages_of(text):
        for sentence in sentences(text, 12):
            found |= language.grammar("request").acts(sentence.text).keys()
    return frozenset(found)
