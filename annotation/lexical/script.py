"""How words are written in a script: which characters are letters, and what keeps two words apart."""

import re
from collections.abc import Callable
from typing import NamedTuple

PLAIN = r"\w'"
MARKED = (
    r"\w'\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0df3\u0e00-\u0eff"
    r"\u0f00-\u1049\u1050-\u109f\u1780-\u17d3"
)
ANY_WORD = re.compile(f"[{MARKED}]+")
NO_LETTER = re.compile(f"[^{PLAIN}]")
NO_MARKED = re.compile(f"[^{MARKED}]")
BLANKS = bytes(code if chr(code).isalnum() or chr(code) in "'_" else 32 for code in range(128)).ljust(256)
IN_PHRASE = re.compile(f"[{MARKED}*]+")


class Script(NamedTuple):
    """What the templates of a language are made into.

    `plain` is the text they are searched in, `words` takes it apart. Expressions: the start of a sentence, the start of
    a word, any letter, what stands between two words, a gap of up to `%d` words after a word and before the first, the
    end of a word. A match takes in `beyond` characters too many. `phrase` cuts a phrase of a list into words.
    """

    plain: Callable[[str], str]
    words: Callable[[str], list[str]]
    opening: str
    start: str
    letter: str
    between: str
    gap: str
    gap_before: str
    end: str
    beyond: int
    phrase: Callable[[str], list[str]]


def spaced(plain: Callable[[str], str]) -> Script:
    """A script with spaces between words.

    `plain` puts a space for each character of a text that is no letter, one more before it and one behind it.
    """
    return Script(
        plain=plain,
        words=str.split,
        opening=r"\A +",
        start=" ",
        letter="[^ ]",
        between=" +",
        gap="(?: +[^ ]+){0,%d}?",
        gap_before="(?:[^ ]+ +){0,%d}?",
        end="(?= )",
        beyond=1,
        phrase=IN_PHRASE.findall,
    )


def _plain(text: str) -> str:
    if text.isascii():
        return f" {text.encode('ascii').translate(BLANKS).decode('ascii')} "
    return f" {NO_LETTER.sub(' ', text)} "


def _marked(text: str) -> str:
    return f" {NO_MARKED.sub(' ', text)} "


LATIN = spaced(_plain)
INDIC = spaced(_marked)
UNSPACED = Script(
    plain=str,
    words=ANY_WORD.findall,
    opening=rf"\A[^{MARKED}]*",
    start="",
    letter=f"[{MARKED}]",
    between=r"\s*",
    gap=".{0,%d}?",
    gap_before=".{0,%d}?",
    end="",
    beyond=0,
    phrase=str.split,
)


def words_of(text: str) -> list[str]:
    """The words of a text in any script; one without spaces comes in long pieces."""
    script = LATIN if text.isascii() else INDIC
    return script.words(script.plain(text))
