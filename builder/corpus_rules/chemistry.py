"""No formulae and no compounds, agents or precursors by name; everyday drug names belong to their topic and may stand."""

import re

from builder.corpus_rules.content_rule import pattern_rule

_REASON = "a named substance is operational detail"

RULES = (
    pattern_rule(
        "chemical-formula",
        "a formula is operational detail",
        r"\b(?:[A-Z][a-z]?\d*){1,}\d(?:[A-Z][a-z]?\d*)*\b | \b(?:HCl|HCN|NaCN|KCN|NaOH|KOH|NaCl|KClO)\b",
        re.NOFLAG,
    ),
    pattern_rule(
        "compound",
        _REASON,
        r"""\b(?:\w+\ )?(?:\w*(?:nitrates?|nitrites?|chlorates?|chlorites?|hypochlorites?|cyanides?|azides?|peroxides?|
        sulphates?|sulfates?|sulphides?|sulfides?|phosphates?|phosphides?|hydroxides?|hydrides?|chlorides?|fluorides?|
        bromides?|iodides?|oxides?|carbonates?|fulminates?|styphnates?|picrates?|acetates?|permanganates?)|
        (?:sulphuric|sulfuric|nitric|hydrochloric|hydrofluoric|picric|acetic|phosphoric|lysergic|cyanic)\ acid)\b""",
    ),
    pattern_rule(
        "agent-or-precursor",
        _REASON,
        r"""\b(?:sarin|soman|tabun|novichok|ricin|abrin|phosgene|mustard\ gas|nerve\ gas|anthrax|botulin(?:um)?|smallpox|
        tatp|hmtd|petn|rdx|hmx|anfo|semtex|thermite|nitro\w+|napalm|tannerite|acetone|toluene|ether|ammonia|chlorine|bleach|
        pseudoephedrine|ephedrine|safrole|piperonal|phosphorus|lithium|mercury|arsenic|thallium|polonium|strychnine|
        antifreeze|methanol|chloroform|ghb|gbl|rohypnol)\b | \bC-?4\b""",
    ),
)
