"""No formulae and no compounds, agents or precursors by name; everyday names of drugs may stand."""

import re

from builder.corpus_rules.content_rule import pattern_rule
from builder.corpus_rules.word_lists import any_of, entries

_ELEMENT = "|".join(sorted(entries("elements"), key=len, reverse=True))

RULES = (
    pattern_rule(
        "chemical-formula",
        "a formula is operational detail",
        rf"\b(?:{_ELEMENT})\d+(?:(?:{_ELEMENT})\d*)+\b",
        rf"\b(?:{_ELEMENT}){{2,4}}\d+(?:(?:{_ELEMENT})\d*)*\b",
        r"\b(?:HCl|HCN|NaCN|KCN|NaOH|KOH|NaCl|KClO)\b",
        flags=re.NOFLAG,
    ),
    pattern_rule("compound", "a named compound is operational detail", any_of("compounds")),
    pattern_rule("agent-or-precursor", "a named agent or precursor is operational detail", any_of("agents")),
)
