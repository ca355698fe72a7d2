"""No real person: neither a famous one nor two capitalised words inside a sentence that read like a full name."""

import re

from builder.corpus_rules.content_rule import ContentRule, pattern_rule
from builder.corpus_rules.texts import CorpusText
from builder.corpus_rules.word_lists import any_of, entries

_PAIR = re.compile(r"(?<![.!?:\"] )(?<![\"'(])\b([A-Z][a-z]+)(?:-[A-Z][a-z]+)? ([A-Z][a-z]+)\b")
_NO_NAMES = frozenset(entries("capitalised_words"))


def _full_name(item: CorpusText) -> str | None:
    for match in _PAIR.finditer(item.text):
        if match.start() > 0 and not _NO_NAMES & set(match.groups()):
            return repr(match.group())
    return None


RULES = (
    pattern_rule("famous-person", "no real person may be named", any_of("famous_people"), flags=re.NOFLAG),
    ContentRule("personal-name", "an invented full name may be a real person's", _full_name),
)
