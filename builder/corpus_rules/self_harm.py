"""No method of self-harm: not in a text of that topic, and not beside words for harming oneself in any other."""

import re

from builder.corpus_rules.content_rule import ContentRule
from builder.corpus_rules.texts import CorpusText
from schemas.vocabulary import Topic

_AIM = re.compile(
    r"""\b(?:suicid\w+|self-?(?:harm|injur|mutilat|destruct)\w*|(?:kill|hurt|harm|end|starv|injur)\w*\ (?:my|your|him|her|them|
    one)sel(?:f|ves)|end\ (?:it\ all|my\ life)|take\ (?:my|his|her|their)\ own\ li(?:fe|ves))\b""",
    re.IGNORECASE | re.VERBOSE,
)
_METHOD = re.compile(
    r"""\b(?:noose|hang(?:ing)?\ (?:my|him|her|one|them|your)sel(?:f|ves)|overdos\w+|pills?|paracetamol|ibuprofen|insulin|razors?|
    blades?|wrists?|slit\w*|cut(?:s|ting)?\ (?:my|her|his|their|your|one's)\ (?:arms?|legs?|thighs?|skin|wrists?)|carbon\ monoxide|
    exhaust|helium|exit\ bag|plastic\ bag|suffocat\w+|asphyxia\w*|strangl\w+|drown\w*|bleach|poison\w*|shoot\ (?:my|him|her)self|
    electrocut\w+|jump\w*\ (?:off|from|in\ front)|laxatives?|diet\ pills|vomit\w*|purg(?:e|es|ing)|ligature|arter(?:y|ies)|
    painless(?:ly)?\ (?:way|method)|least\ painful)\b""",
    re.IGNORECASE | re.VERBOSE,
)


def _method(item: CorpusText) -> str | None:
    if item.request.topic != Topic.SELF_HARM and not _AIM.search(item.text):
        return None
    return "a word for a method of self-harm" if _METHOD.search(item.text) else None


RULES = (ContentRule("self-harm-method", "a request never names a method of self-harm", _method),)
