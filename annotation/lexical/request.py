"""What a request asks for."""

from functools import lru_cache
from typing import NamedTuple

from annotation.lexical.detect import languages_of
from annotation.lexical.language import Language, stems
from annotation.lexical.normalise import normalise
from annotation.lexical.script import words_of
from annotation.lexical.segments import sentences

REQUEST_SEEN = 2000
TURNS = ("\nuser:", "\nhuman:")
SENTENCES = 12


class Asked(NamedTuple):
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
    return Asked(_kinds(text, tongues), frozenset(stems(words_of(text))), tongues, text)


def answered_in(asked: Asked, tongues: tuple[Language, ...]) -> Asked:
    """The request read in the languages of its answer too: a short request does not tell its own."""
    new = tuple([language for language in tongues if language not in asked.languages])
    return asked._replace(kinds=asked.kinds | _kinds(asked.text, new)) if new else asked


@lru_cache(maxsize=2048)
def _kinds(text: str, tongues: tuple[Language, ...]) -> frozenset[str]:
    kinds: set[str] = set()
    for language in tongues:
        for sentence in sentences(text, SENTENCES):
            plain = language.writing.plain(sentence.text)
            kinds |= language.request_kinds.acts(plain, language.writing.words(plain)).keys()
    return frozenset(kinds)
