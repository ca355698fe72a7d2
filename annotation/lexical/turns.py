"""Splitting a response that speaks with several voices, as answers to persona prompts do."""

import re
from typing import NamedTuple

SEEN = 6000
NAMES = (
    r"(?:chat)?gpt(?:-\d\w*)?|\w+gpt|\w+bot|d\.?a\.?n|aim|stan|dude|ai|assistant|jailbr\w+|developer mode(?: output)?"
    r"|dev ?mode|classic|evil \w+|\w+ (?:persona|mode|response|output|answer)|unfiltered|uncensored|machiavelli|niccolo"
    r"|ucar|omega|alphabreak|normal|standard|persona"
)
VOICE = re.compile(
    r"[ \t]*(?:"
    rf"[\[(【<{{]+[^\w\n]{{0,6}}(?:{NAMES})[^\n\])】>}}]{{0,20}}[\])】>}}]+[ \t]*:?"
    rf"|[*#]*[^\w\n]{{0,6}}(?:{NAMES})[*]*:"
    r")[*]*[ \t]*",
    re.ASCII,
)


class Turn(NamedTuple):
    """What one voice says: `text[start:end]`."""

    start: int
    end: int


def _line_starts(text: str) -> list[int]:
    starts = [0]
    while (end := text.find("\n", starts[-1], SEEN)) >= 0:
        starts.append(end + 1)
    return starts


def turns(text: str) -> list[Turn]:
    """The turns of a text in normalised spelling; one turn, the whole, if no persona is named."""
    marks = [mark for mark in (VOICE.match(text, start) for start in _line_starts(text)) if mark is not None]
    if not marks:
        return [Turn(0, len(text))]
    found = [Turn(0, marks[0].start())]
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    found += [Turn(mark.end(), end) for mark, end in zip(marks, ends, strict=True)]
    return [turn for turn in found if text[turn.start : turn.end].strip()] or [Turn(0, len(text))]
