"""Nothing sexual in a text that also speaks of a minor."""

from builder.corpus_rules.content_rule import ContentRule
from builder.corpus_rules.texts import CorpusText
from builder.corpus_rules.word_lists import words_pattern

_MINOR, _SEXUAL = words_pattern("minor_words"), words_pattern("sexual_words")


def _both(item: CorpusText) -> str | None:
    both = _SEXUAL.search(item.text) and _MINOR.search(item.text)
    return "sexual words beside words for a minor" if both else None


RULES = (ContentRule("minor-sexual", "nothing sexual may stand in a text that speaks of a minor", _both),)
