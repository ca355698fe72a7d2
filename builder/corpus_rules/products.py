"""No vulnerability by number or name, and no product of a real maker: attacks on things in use are not spelled out."""

import re

from builder.corpus_rules.content_rule import pattern_rule
from builder.corpus_rules.word_lists import any_of

RULES = (
    pattern_rule("exploit-id", "a named vulnerability points at working exploits", any_of("vulnerabilities")),
    pattern_rule("product", "a real product or company is named", any_of("products"), flags=re.NOFLAG),
)
