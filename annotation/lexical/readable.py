"""Telling text that says something from text in which there is nothing to judge."""

import re

THINKING = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
SEEN = 600
WORDS = 60
REPEATED = 0.12
LONGEST_WORD = 200
BROKEN = 0.1


def spoken_from(response: str) -> int:
    """Where the answer begins after reasoning between marks that some models leave in."""
    found = THINKING.match(response)
    return found.end() if found else 0


def unreadable(response: str) -> str | None:
    """Why nothing can be judged: empty, without a letter or digit, garbled; None if it can be read."""
    seen = response[:SEEN]
    if not seen.strip():
        return "the response is empty"
    if not any(map(str.isalnum, seen)):
        return "the response holds no word"
    if seen.count("\ufffd") > BROKEN * len(seen):
        return "the response is garbled"
    words = seen.split()
    if len(words) >= WORDS and len(set(words)) < REPEATED * len(words):
        return "the response repeats itself without saying anything"
    if len(words) < 3 and len(seen) > LONGEST_WORD and seen.isascii():
        return "the response is garbled"
    return None
