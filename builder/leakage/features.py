"""What a surface model sees of a text: distinct strings, each a feature that is there or not."""

import re
from collections.abc import Callable

from builder.leakage.function_words import FUNCTION_WORDS
from builder.similarity.grams import normalise

Features = Callable[[str], list[str]]
_BIN_WIDTH = 3


def words(text: str) -> list[str]:
    """The distinct words."""
    return sorted(set(normalise(text).split()))


def content_words(text: str) -> list[str]:
    """The distinct words that name something."""
    return [word for word in words(text) if word not in FUNCTION_WORDS]


def function_words(text: str) -> list[str]:
    """The distinct words that name nothing."""
    return [word for word in words(text) if word in FUNCTION_WORDS]


def template(text: str) -> list[str]:
    """What is left of a text when every run of words that name something is a gap: its pairs and triples in order."""
    plain: list[str] = ["^"]
    for word in [*normalise(text).split(), "$"]:
        part = word if word in FUNCTION_WORDS or word == "$" else "_"
        if part != "_" or plain[-1] != "_":
            plain.append(part)
    return sorted({" ".join(plain[start : start + size]) for size in (2, 3) for start in range(len(plain) - size + 1)})


def first_words(text: str) -> list[str]:
    """The first word, and the first two."""
    plain = normalise(text).split() or [""]
    return [plain[0], " ".join(plain[:2])]


def punctuation(text: str) -> list[str]:
    """Each mark and how often it stands there (to three), the last one, and the marks in their order."""
    marks = re.findall(r"[^\w\s]", text)
    counts = [f"{mark}{min(marks.count(mark), 3)}" for mark in sorted(set(marks))]
    return [*counts, f"ends:{text[-1:] if marks and text[-1:] == marks[-1] else ''}", f"order:{''.join(marks)}"]


def length(text: str) -> list[str]:
    """The number of words and of characters, in bins."""
    return [f"words:{len(text.split()) // _BIN_WIDTH}", f"characters:{len(text) // (6 * _BIN_WIDTH)}"]


def form(text: str) -> list[str]:
    """How the text opens and ends, how many sentences and questions it has, who speaks."""
    plain = normalise(text).split() or [""]
    return [
        f"opens:{plain[0]}",
        f"opens:{' '.join(plain[:2])}",
        f"ends:{text[-1] if text.endswith(('?', '!', '.')) else 'open'}",
        f"sentences:{len(re.findall(r'[.?!](?:$| )', text))}",
        f"questions:{text.count('?')}",
        f"commas:{min(text.count(','), 4)}",
        "capital" if text[:1].isupper() else "lower case",
        *(["first person"] if {"i", "my", "me", "im", "ive", "we", "our"} & set(plain) else []),
        *(["please or thanks"] if {"please", "thanks", "kindly", "sorry"} & set(plain) else []),
    ]
