"""The form of a careful-content rule."""

import re
from collections.abc import Callable
from typing import NamedTuple

from builder.corpus_rules.texts import CorpusText


class ContentRule(NamedTuple):
    """A named check with the reason for it. `find` returns what breaks the rule, quoted, or None."""

    name: str
    reason: str
    find: Callable[[CorpusText], str | None]


def pattern_rule(name: str, reason: str, *patterns: str, flags: re.RegexFlag = re.IGNORECASE) -> ContentRule:
    """A rule that none of the regular expressions may match anywhere in the text."""
    compiled = re.compile("|".join(patterns), flags)

    def find(item: CorpusText) -> str | None:
        match = compiled.search(item.text)
        return None if match is None else repr(match.group().strip())

    return ContentRule(name, reason, find)
