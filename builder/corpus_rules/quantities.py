"""No amounts: a number with a unit of mass, volume, dose, temperature, charge, pressure or concentration."""

from builder.corpus_rules.content_rule import pattern_rule
from builder.corpus_rules.word_lists import entries

_NUMBER = f"(?:{'|'.join(entries('numbers'))})"
_UNIT = f"(?:{'|'.join(entries('units'))})"

RULES = (
    pattern_rule(
        "quantity",
        "an amount with its unit is operational detail",
        rf"\b{_NUMBER}[\s-]*{_UNIT}\b(?!\w)",
        r"\d\s*(?:%|°|‰|µ)",
    ),
    pattern_rule(
        "ratio",
        "a mixing ratio is operational detail",
        r"\b\d+\s*:\s*\d+\b",
        r"\b(?:\d+|one|two|three|four|five)\s+parts?\s+(?:of\s+)?\w+(?:\s+(?:to|and))?\s+(?:\d+|one|two|three|four|five)\b",
    ),
)
