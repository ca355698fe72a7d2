"""What a request asks for."""

from dataclasses import dataclass
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
    """A request: what kinds of thing it asks for (`opinion`, `argue`, `advice`) and the stems of its words."""

    kinds: frozenset[str]
    stems: frozenset[str]
    languages: tuple[Language, ...]


@lru_cache(maxsize=2048)
def asks(request: str) -> Asked:
    """What a request asks for; of a conversation, its last turn."""
    text = "\n" + normalise(request, max(0, len(request) - REQUEST_SEEN), REQUEST_SEEN).text
    turn, mark = max((text.rfind(mark), mark) for mark in TURNS)
    text = text[turn + len(mark) :] if turn >= 0 else text
    kinds: set[str] = set()
    tongues = languages_of(text)
    for language in tongues:
        for sentence in sentences(text, SENTENCES):
            words = language.writing.words(sentence.text)
            kinds |= language.request_kinds.acts(sentence.text, words).keys()
    return Asked(frozenset(kinds), frozenset(stems(ANY_WORD.findall(text))), tongues)
