"""No amounts: a number with a unit of mass, volume, dose, temperature, charge, pressure or concentration."""

from builder.corpus_rules.content_rule import pattern_rule

_NUMBER = r"""(?:\d+(?:[.,/]\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|
forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|half\ an?|a\ quarter)"""
_UNIT = r"""(?:mg|mcg|µg|kg|g|lbs?|oz|ml|cl|dl|l|km/h|mph|mah|kwh|psi|ppm|(?:milli|micro|kilo|deca)?gram(?:me)?s?|kilos?|
ounces?|pounds?\ of|stone\ of|tons?|tonnes?|(?:milli|centi)?lit(?:re|er)s?|pints?|gallons?|cups?|teaspoons?|tablespoons?|
tsp|tbsp|drops?|pills?|tablets?|capsules?|doses?|degrees?|celsius|fahrenheit|kelvin|volts?|watts?|amps?|amperes?|ohms?|
joules?|newtons?|bars?|pascals?|per\ ?cent|mol(?:es|ar)?)"""

RULES = (
    pattern_rule(
        "quantity",
        "an amount with its unit is operational detail",
        rf"\b{_NUMBER}[\s-]*{_UNIT}\b(?!\w) | \d\s*(?:%|°|‰|µ)",
    ),
    pattern_rule(
        "ratio",
        "a mixing ratio is operational detail",
        r"\b\d+\s*:\s*\d+\b | \b(?:\d+|one|two|three|four|five)\s+parts?\s+(?:of\s+)?\w+\s+(?:to|and)\s+(?:\d+|one|two|three|four|five)\b",
    ),
)
