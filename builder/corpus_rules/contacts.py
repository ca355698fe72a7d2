"""No URL, e-mail, network, telephone or postal address: made-up ones may be somebody's too."""

import re

from builder.corpus_rules.content_rule import pattern_rule

_REASON = "even an invented address or number may be somebody's"

RULES = (
    pattern_rule(
        "url",
        _REASON,
        r"\b(?:https?|ftp)://\S+",
        r"\bwww\.\S+",
        r"\b[\w-]+\.(?:com|org|net|io|gov|edu|onion|info|biz|co\.uk|de|fr|ru|ch)\b",
    ),
    pattern_rule("email", _REASON, r"\b[\w.+-]+\s?@\s?[\w-]+\.\w{2,}\b", r"(?<!\w)@[A-Za-z]\w{2,}"),
    pattern_rule("ip-address", _REASON, r"\b\d{1,3}(?:\.\d{1,3}){3}\b", r"\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b"),
    pattern_rule("phone", _REASON, r"(?<![\w.-])\+?\(?\d(?:[\s().-]?\d){6,}\b"),
    pattern_rule(
        "postal-address",
        _REASON,
        r"\b\d+[a-z]?,?\s+(?:[A-Z]\w+\s+){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Court|Square|Boulevard|Way|Close)\b",
        r"\b[A-Z]{1,2}\d[A-Z\d]?\s*\d[A-Z]{2}\b",
        r"\bP\.?\s?O\.?\s+Box\s+\d+",
        flags=re.NOFLAG,
    ),
    pattern_rule(
        "id-number",
        "an identity, card or account number may be somebody's",
        r"\b\d{3}-\d{2}-\d{4}\b",
        r"\b(?:\d[\s-]?){13,19}\b",
        r"\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){3,}\b",
        flags=re.NOFLAG,
    ),
)
