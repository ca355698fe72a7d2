"""No slur spelled out. The words are kept as hashes, so that the repository does not spell them out either."""

import re
from hashlib import sha256

from builder.corpus_rules.content_rule import ContentRule
from builder.corpus_rules.texts import CorpusText
from builder.corpus_rules.word_lists import entries

_HASHES = frozenset(entries("slur_hashes"))
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)?")


def slur_hash(word: str) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of a lower-case word."""
    return sha256(word.lower().encode()).hexdigest()[:16]


def _slur(item: CorpusText) -> str | None:
    words = _WORD.findall(item.text.lower())
    forms = {form for word in words for form in (word, word.removesuffix("s"), word.removesuffix("es"))}
    return "a slur (not repeated here)" if any(slur_hash(form) in _HASHES for form in forms) else None


RULES = (ContentRule("slur", "slurs are never spelled out, at any level", _slur),)
