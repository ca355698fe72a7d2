"""The corpus itself, to leaf through by topic and level."""

from collections.abc import Sequence
from html import escape

from schemas.records import Request
from schemas.vocabulary import HarmLevel, Topic


def browse_html(requests: Sequence[Request]) -> str:
    """A fold for each topic, in it a fold for each level, in it each request with its paraphrases."""
    parts = []
    for topic in Topic:
        of_topic = [request for request in requests if request.topic == topic]
        if of_topic:
            levels = "".join(_level(of_topic, level) for level in HarmLevel)
            parts.append(_fold(f"topic-{topic}", f"{topic} ({len(of_topic)} requests)", levels))
    return "".join(parts)


def _level(requests: Sequence[Request], level: HarmLevel) -> str:
    chosen = [request for request in requests if request.level == level]
    if not chosen:
        return ""
    name = level.name.lower().replace("_", " ")
    body = "".join(_request(request) for request in chosen)
    return _fold(f"{chosen[0].topic}-{level.value}", f"level {level.value}, {name} ({len(chosen)})", body)


def _fold(key: str, title: str, body: str) -> str:
    return f'<details id="{escape(key, quote=True)}"><summary>{escape(title)}</summary>{body}</details>'


def _request(request: Request) -> str:
    variants = "".join(
        f"<li><span>{escape(paraphrase.kind)}</span> {escape(paraphrase.text)}</li>"
        for paraphrase in request.paraphrases
    )
    return (
        f'<article id="{escape(request.request_id, quote=True)}"><h4>{escape(request.request_id)}</h4>'
        f"<p>{escape(request.text)}</p><ul>{variants}</ul></article>"
    )
