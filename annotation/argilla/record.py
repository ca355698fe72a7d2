"""From an item to an Argilla record: only what an annotator may know, as text that shows as it is."""

from collections.abc import Sequence
from typing import Any

from annotation.argilla.form import WORDS
from annotation.argilla.plain_text import escaped
from annotation.items import Item, folded
from annotation.routing import draw
from schemas.records import Annotation

Json = dict[str, Any]


def record_of(item: Item, *, votes: Sequence[Annotation] = (), suggest_for: str | None = None) -> Json:
    """The record of an item. `votes` are for an expert's eyes; `suggest_for` is the question the machine's label fills.

    Target, judges, assigned level and votes are never in a record for annotators; topic, reason and stream are metadata
    that Argilla shows to coordinators alone.
    """
    shown = folded(item.response)
    fields = {"request": item.request, "response": shown}
    if item.context is not None:
        fields["context"] = item.context
    if votes:
        fields["votes"] = votes_text(item.key, votes)
    if shown != item.response:
        fields["whole"] = item.response
    record: Json = {
        "external_id": item.key,
        "fields": {name: escaped(text) for name, text in fields.items()},
        "metadata": {"topic": str(item.topic), "reason": item.reason, "stream": item.stream},
    }
    if suggest_for is not None and item.suggestion is not None:
        record["suggestions"] = [{"question_id": suggest_for, "value": str(item.suggestion), "agent": "judges"}]
    return record


def votes_text(key: str, votes: Sequence[Annotation]) -> str:
    """What people said of one response, under letters that tell nobody's name and differ from item to item."""
    ordered = sorted(votes, key=lambda vote: draw(key, f"letter {vote.annotator}"))
    return "\n".join(_vote_text(chr(ord("A") + place % 26), vote) for place, vote in enumerate(ordered))


def _vote_text(letter: str, vote: Annotation) -> str:
    label = "Cannot tell" if vote.label is None else WORDS[vote.label][0]
    sure = "" if vote.confidence is None else f", sure {vote.confidence} of 5"
    span = "" if vote.span is None else f", because of “{vote.span}”"
    note = "" if vote.note is None else f". {vote.note}"
    return f"{letter}: {label}{sure}{span}{note}"
