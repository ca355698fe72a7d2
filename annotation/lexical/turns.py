"""Splitting a response that speaks with several voices, as answers to persona prompts do."""

import re
from typing import NamedTuple

SEEN = 6000
VOICE = re.compile(
    r"^[ \t]*(?:"
    r"[\[(【<{*#]+[^\w\n]{0,6}(?P<tag>[^\n\])】>}:]{1,40}?)[\])】>}*]+[ \t]*:?"
    r"|(?P<name>[a-z][\w.' -]{0,24}):"
    r")[ \t]*",
    re.MULTILINE,
)
PERSONA = re.compile(
    r"\b(?:\w*gpt|\w*bot|dan|aim|stan|dude|ai|jailbr\w*|classic|normal|standard|default|developer|dev|evil|anti\w*"
    r"|unfiltered|uncensored|unrestricted|opposite|alter\w*|persona|character|assistant|model|output|response|answer"
    r"|machiavelli|niccolo|ucar|mongo|tom|jerry|omega|alpha|maximum|mode|chaos\w*|rebel\w*|free|unlocked|locked|safe)\b"
)


class Turn(NamedTuple):
    """What one voice says: `text[start:end]`."""

    start: int
    end: int


def turns(text: str) -> list[Turn]:
    """The turns of a text in normalised spelling; one turn, the whole, if no persona is named."""
    marks = [mark for mark in VOICE.finditer(text, 0, SEEN) if PERSONA.search(mark["tag"] or mark["name"])]
    if not marks:
        return [Turn(0, len(text))]
    found = [Turn(0, marks[0].start())]
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    found += [Turn(mark.end(), end) for mark, end in zip(marks, ends, strict=True)]
    return [turn for turn in found if text[turn.start : turn.end].strip()] or [Turn(0, len(text))]
