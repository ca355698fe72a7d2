"""What a surface model sees of a text: distinct strings, each a feature that is there or not."""

import re
from collections.abc import Callable

from builder.similarity.grams import normalise

Features = Callable[[str], list[str]]
_BIN_WIDTH = 3


def words(text: str) -> list[str]:
    """The distinct words."""
    return sorted(set(normalise(text).split()))


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
