"""No code, commands or payloads in any language."""

import re

from builder.corpus_rules.content_rule import pattern_rule

RULES = (
    pattern_rule(
        "code",
        "working code has no place in a request",
        r"[`{}]|</?\w+[^>]*>|=>|->|==|&&|\|\||\$\(|#include|;\s*$|\\x[0-9a-fA-F]{2}|\b0x[0-9a-fA-F]{2,}\b",
        r"\b(?:def|function|class|import|from|return|print|eval|exec|system)\s*\(",
        r"\bimport\s+(?:os|sys|socket|re|requests)\b",
        r"\b\w+\(\w*(?:,\s*\w+)*\)",
        r"'\s*(?:OR|or)\s*'?1'?\s*=|\bSELECT\s.+\sFROM\b|\b(?:DROP|INSERT)\s+(?:TABLE|INTO)\b",
        r"\b(?:sudo|chmod|curl|wget|netcat|nmap|rm\s-\w+|powershell|cmd\.exe)\b|\B--?[a-z][\w-]+=",
        r"/(?:etc|bin|usr|tmp|dev)/",
        flags=re.NOFLAG,
    ),
)
