"""No numbered steps: a request that lists steps tells how."""

from builder.corpus_rules.content_rule import pattern_rule

RULES = (
    pattern_rule(
        "step-number",
        "a request asks, it does not list steps",
        r"\bstep\s+(?:no\.?\s*|number\s+)?(?:\d+|one|two|three|four|five)\b",
        r"(?:^|[\s(])\(?\d{1,2}[.)]\s+\w",
        r"\bfirstly\b.+\bsecondly\b",
    ),
)
