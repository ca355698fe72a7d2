"""The lexical judge: what a response does about a request, read from its words alone."""

from annotation.lexical.normalise import normalise
from annotation.lexical.reading import asks, read
from annotation.lexical.rules import RULES
from annotation.lexical.verdict import LexicalVerdict


def judge_response(request: str, response: str) -> LexicalVerdict:
    """The verdict on `response`; without a label if it is empty."""
    if not response.strip():
        return LexicalVerdict(None, 5, "", 0, 0, "the response is empty")
    normal = normalise(response)
    asked = asks(request)
    reading = read(normal.text, asked)
    ruling = next(ruling for rule in RULES if (ruling := rule(reading, asked)) is not None)
    start = normal.origin(ruling.act.start) if ruling.act else 0
    end = normal.origin(ruling.act.end) if ruling.act else 0
    return LexicalVerdict(ruling.label, ruling.confidence, response[start:end], start, end, ruling.reason)
