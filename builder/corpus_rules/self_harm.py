"""No method of self-harm: not in a text of that topic, and not beside words for harming oneself in any other."""

from builder.corpus_rules.content_rule import ContentRule
from builder.corpus_rules.texts import CorpusText
from builder.corpus_rules.word_lists import words_pattern
from schemas.vocabulary import Topic

_AIM, _METHOD = words_pattern("self_harm_aims"), words_pattern("self_harm_methods")


def _method(item: CorpusText) -> str | None:
    if item.request.topic != Topic.SELF_HARM and not _AIM.search(item.text):
        return None
    match = _METHOD.search(item.text)
    return None if match is None else repr(match.group())


RULES = (ContentRule("self-harm-method", "a request never names a method of self-harm", _method),)
