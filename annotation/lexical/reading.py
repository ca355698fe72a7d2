"""What stands in a response: its sentences, the acts each performs, and how much of it gives something."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import filterfalse
from typing import NamedTuple

from annotation.lexical.detect import languages_of
from annotation.lexical.language import Language, languages, stems
from annotation.lexical.request import Asked
from annotation.lexical.segments import SEEN, Sentence, sentences

MOST_SENTENCES = 8
OFF_TOPIC_SENTENCES = 4
FALLBACK = "en"
EMPTY = frozenset({"referral", "regret", "empathy", "offer", "redirect", "decline", "opinionless", "inability", "ai"})
THIN = frozenset(
    {
        "instead",
        "points",
        "condemn",
        "equality",
        "moral",
        "values",
        "premise",
        "disagree",
        "defer",
        "clarify",
        "caution",
        "absurd",
    }
)


class Act(NamedTuple):
    """Where in the response's normalised text an act is performed."""

    start: int
    end: int


class Said(NamedTuple):
    """One sentence with its acts; `gives` if it says more than declining, preaching, referring and being polite.

    `acts` maps each act to where in the sentence it is performed; the sentence starts at `start` of the normal text and
    is `size` characters long. `topical` sentences share a word with the request.
    """

    sentence: Sentence
    start: int
    size: int
    acts: Mapping[str, tuple[int, int]]
    gives: bool
    topical: bool

    def act(self, name: str) -> Act:
        """Where in the normal text an act is performed. Raises KeyError if it is not."""
        begin, end = self.acts[name]
        return Act(self.start + begin, self.start + end)


class Reading(NamedTuple):
    """A response, read. `where` maps each act to the indices of the sentences that perform it, in order."""

    text: str
    said: tuple[Said, ...]
    languages: tuple[Language, ...]
    where: Mapping[str, Sequence[int]]
    size: int

    def first(self, act: str, among: int | None = None) -> int | None:
        """The index of the first of the leading sentences (all by default) that performs an act; None if none does."""
        found = self.where.get(act)
        if found is None or (among is not None and found[0] >= among):
            return None
        return found[0]

    def first_of(self, acts: Iterable[str], among: int | None = None) -> int | None:
        """The index of the first of the leading sentences that performs one of the acts."""
        found = [at for at in (self.first(act, among) for act in acts) if at is not None]
        return min(found, default=None)

    def share(self, *acts: str) -> float:
        """The share of characters in sentences that perform one of the acts."""
        found = [self.where[act] for act in acts if act in self.where]
        return sum([self.said[index].size for index in set().union(*found)]) / self.size if found else 0.0

    @property
    def listed(self) -> int:
        """The number of sentences in lists."""
        return sum([one.sentence.item for one in self.said])

    def is_off_topic(self, asked: Asked) -> bool:
        """Whether a long text in a known language shares no telling word with a request that has some."""
        if len(self.said) < OFF_TOPIC_SENTENCES or not self.languages or self.languages != asked.languages:
            return False
        shell = self.languages[0].shell
        return bool(shell) and len(asked.stems - shell) > 1 and self.is_elsewhere(asked)

    def is_elsewhere(self, asked: Asked) -> bool:
        """Whether no sentence holds a word of a request that has any."""
        return bool(asked.stems) and not any(one.topical for one in self.said)

    def aside(self, act: str, begin: int = 0) -> list[int]:
        """The indices, from `begin` on, of the sentences that perform an act which matters only beside a refusal."""
        return [index for index in range(begin, len(self.said)) if self.says_aside(act, index)]

    def says_aside(self, act: str, index: int) -> bool:
        """Whether one sentence performs such an act."""
        return act in _asides(self.said[index].sentence.text, self.languages)

    def given(self, begin: int = 0, end: int | None = None) -> int:
        """Characters in the sentences from `begin` to `end` that give something."""
        return sum([one.size for one in self.said[begin:end] if one.gives])


class Parsed(NamedTuple):
    """What is the same for a sentence whatever was asked: acts, stems, and the stems that are more than shell."""

    acts: dict[str, tuple[int, int]]
    stems: tuple[str, ...]
    news: tuple[str, ...] | None


def read(text: str, asked: Asked, origin: int = 0) -> Reading:
    """The reading of a text in normalised spelling; acts are placed as if `origin` characters stood before it."""
    tongues = languages_of(text) or asked.languages or (languages()[FALLBACK],)
    wrapped = text.count('"', 0, SEEN) == 2 and text.strip()[0] == text.strip()[-1] == '"'
    spoken = tuple([said(one, tongues, asked, origin, wrapped) for one in sentences(text, MOST_SENTENCES)])
    where: dict[str, list[int]] = {}
    for index, one in enumerate(spoken):
        for act in one.acts:
            where.setdefault(act, []).append(index)
    return Reading(text, spoken, tongues, where, sum([one.size for one in spoken]))


def said(sentence: Sentence, tongues: tuple[Language, ...], asked: Asked, origin: int, wrapped: bool) -> Said:
    """A sentence with the acts found in it, but for those in quotation marks unless all is `wrapped` in them."""
    start = sentence.start + origin
    if sentence.code:
        return Said(sentence, start, len(sentence.text), {}, gives=True, topical=False)
    parsed = _parsed(sentence.text, tongues)
    acts = parsed.acts
    if acts and not wrapped and (sentence.quoted or '"' in sentence.text):
        acts = {name: span for name, span in acts.items() if not _is_quoted(sentence, span[0])}
    topical = not asked.stems.isdisjoint(parsed.stems)
    return Said(sentence, start, len(sentence.text), acts, _gives(parsed, acts, asked), topical)


def _is_quoted(sentence: Sentence, position: int) -> bool:
    return (sentence.quoted + sentence.text.count('"', 0, position)) % 2 == 1


def _gives(parsed: Parsed, acts: Collection[str], asked: Asked) -> bool:
    if not EMPTY.isdisjoint(acts):
        return False
    thin = not THIN.isdisjoint(acts)
    if parsed.news is None:
        return not thin
    news = len(parsed.news) - sum(map(asked.stems.__contains__, parsed.news))
    return news >= min(7, max(3, 0.4 * len(parsed.stems))) if thin else news >= 0.15 * len(parsed.stems)


@lru_cache(maxsize=2048)
def _parsed(text: str, tongues: tuple[Language, ...]) -> Parsed:
    plain = tongues[0].writing.plain(text)
    words = tongues[0].writing.words(plain)
    acts = tongues[0].response_acts.acts(plain, words)
    for language in tongues[1:]:
        acts = language.response_acts.acts(language.writing.plain(text), words) | acts
    found = stems(words)
    shell = tongues[0].shell
    return Parsed(acts, found, tuple(filterfalse(shell.__contains__, found)) if shell else None)


@lru_cache(maxsize=512)
def _asides(text: str, tongues: tuple[Language, ...]) -> frozenset[str]:
    found: set[str] = set()
    for language in tongues:
        plain = language.writing.plain(text)
        found |= language.aside_acts.acts(plain, language.writing.words(plain)).keys()
    return frozenset(found)
