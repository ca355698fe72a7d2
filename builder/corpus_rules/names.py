"""No real person: world-famous surnames, and two capitalised words in the middle of a sentence that read like a name."""

import re

from builder.corpus_rules.content_rule import ContentRule, pattern_rule
from builder.corpus_rules.texts import CorpusText

_REASON = "no real person may be named, and an invented full name may be a real one"
_PAIR = re.compile(r"(?<![.!?:\"] )(?<![\"'(])\b([A-Z][a-z]+)(?:-[A-Z][a-z]+)? ([A-Z][a-z]+)\b")
_NOT_A_NAME = frozenset(
    [
        "Middle",
        "Ages",
        "World",
        "War",
        "First",
        "Second",
        "Great",
        "Cold",
        "Civil",
        "Wild",
        "West",
        "East",
        "North",
        "South",
        "Eastern",
        "Western",
        "Northern",
        "Southern",
        "Old",
        "New",
        "European",
        "Union",
        "United",
        "States",
        "Kingdom",
        "Nations",
        "Roman",
        "Empire",
        "Christmas",
        "Easter",
        "Halloween",
        "Sunday",
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
        "Dear",
        "I",
        "Red",
        "Cross",
        "Geneva",
        "Convention",
        "Human",
        "Rights",
        "Supreme",
        "Court",
        "Stone",
        "Age",
        "Bronze",
        "Iron",
        "Ice",
        "Black",
        "Death",
        "Bible",
        "Aunt",
        "Uncle",
        "Grandma",
        "Grandpa",
        "Mum",
        "Dad",
        "Mr",
        "Mrs",
        "Ms",
        "Dr",
        "Sir",
        "Lady",
        "Captain",
        "Lord",
        "King",
        "Queen",
        "Prince",
        "Princess",
        "Saint",
        "St",
        "British",
        "French",
        "German",
        "English",
        "American",
        "Italian",
        "Russian",
        "Chinese",
        "Victorian",
        "Medieval",
        "Viking",
        "Spanish",
        "Dutch",
        "Greek",
        "Irish",
        "Scottish",
        "Prohibition",
        "Inquisition",
        "Enlightenment",
        "Renaissance",
        "Bauhaus",
        "Industrial",
        "Revolution",
    ]
)


def _full_name(item: CorpusText) -> str | None:
    for match in _PAIR.finditer(item.text):
        if match.start() > 0 and not _NOT_A_NAME & set(match.groups()):
            return repr(match.group())
    return None


RULES = (
    pattern_rule(
        "famous-person",
        "no real person may be named",
        r"""\b(?:Hitler|Himmler|Goebbels|Stalin|Lenin|Mao\ Zedong|Pol\ Pot|Mussolini|Trump|Biden|Obama|Clinton|Kennedy|Putin|
        Zelensky|Merkel|Macron|Johnson|Thatcher|Churchill|Netanyahu|Arafat|Gandhi|Mandela|Modi|Erdogan|Xi\ Jinping|Khamenei|
        Khomeini|Gaddafi|Saddam|bin\ Laden|Assad|Kim\ Jong|Castro|Guevara|Musk|Bezos|Zuckerberg|Gates|Buffett|Assange|Snowden|
        Manning|Epstein|Weinstein|Madoff|Ponzi|Escobar|Capone|Bundy|Dahmer|Manson|Kaczynski|McVeigh|Breivik|Mengele|Eichmann|
        Swift|Beyonce|Kardashian|Einstein|Newton|Darwin|Shakespeare|Freud|Nietzsche|Marx|Lincoln|Washington|Napoleon|Caesar|
        Cleopatra|Mitnick|Houdini|Thunberg|Oppenheimer|Nobel)(?:'s)?\b""",
        re.NOFLAG,
    ),
    ContentRule("personal-name", _REASON, _full_name),
)
