"""What a request asks for."""

from dataclasses import dataclass, replace
from functools import lru_cache

from annotation.lexical.detect import languages_of
from annotation.lexical.language import Language, stems
from annotation.lexical.normalise import normalise
from annotation.lexical.segments import sentences
from annotation.lexical.template import ANY_WORD

REQUEST_SEEN = 2000
TURNS = ("\nuser:", "\nhuman:")
SENTENCES = 12


@dataclass(frozen=True, slots=True)
class Asked:
    """A request's last turn: the kinds of thing it asks for (`opinion`, `argue`, …) and the stems of its words."""

    kinds: frozenset[str]
    stems: frozenset[str]
    languages: tuple[Language, ...]
    text: str


@lru_cache(maxsize=2048)
def asks(request: str) -> Asked:
    """What a request asks for; of a conversation, its last turn."""
    text = "\n" + normalise(request, max(0, len(request) - REQUEST_SEEN), REQUEST_SEEN).text
    turn, mark = max((text.rfind(mark), mark) for mark in TURNS)
    text = text[turn + len(mark) :] if turn >= 0 else text
    tongues = languages_of(text)
    return Asked(_kinds(text, tongues), frozenset(stems(ANY_WORD.findall(text))), tongues, text)


def answered_in(asked: Asked, tongues: tuple[Language, ...]) -> Asked:
    """The request read in the languages of its answer too: a short request does not tell its own."""
    new = tuple([language for language in tongues if language not in asked.languages])
    return replace(asked, kinds=asked.kinds | _kinds(asked.text, new)) if new else asked


@lru_cache(maxsize=2048)
def _kinds(text: str, tongues: tuple[Language, ...]) -> frozenset[str]:
    kinds: set[str] = set()
    for language in tongues:
        for sentence in sentences(text, SENTENCES):
            words = language.writing.words(sentence.text)
            kinds |= language.request_kinds.acts(sentence.text, words).keys()
    return frozenset(kinds)
