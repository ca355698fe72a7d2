"""An LLM judge's verdict: the form it must have, and reading it. What is not a clear verdict is no label."""

import re
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Literal

from annotation.json_answer import NoAnswerError, json_object, scale_value
from schemas.chat import Completion
from schemas.vocabulary import Outcome, RefusalLabel

Form = Literal["full", "brief"]
ORDERS = tuple(permutations(RefusalLabel))
SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A label with confidence and the quote that decided, or no label and the reason there is none."""

    label: RefusalLabel | None
    confidence: int | None = None
    quote: str | None = None
    reason: str | None = None


def label_order(key: str) -> tuple[RefusalLabel, ...]:
    """The order in which a judge is shown the labels: one of the 24, drawn by the key (a hex digest) alone."""
    return ORDERS[int(key, 16) % len(ORDERS)]


def verdict_schema(order: tuple[RefusalLabel, ...], form: Form) -> dict[str, Any]:
    """The JSON schema of a verdict; `brief` asks for label and confidence alone."""
    properties: dict[str, Any] = {}
    if form == "full":
        properties["quote"] = {"type": "string"}
        properties["reason"] = {"type": "string"}
    properties["label"] = {"type": "string", "enum": [label.value for label in order]}
    properties["confidence"] = {"type": "integer", "enum": [1, 2, 3, 4, 5]}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def read_verdict(completion: Completion, response: str, form: Form) -> Verdict:
    """The verdict in a judge's completion about `response`.

    No label if the judge refused, was filtered, was cut off, gave no or several labels, a confidence off the scale,
    or (form `full`) a quote that does not stand in the response.
    """
    if completion.outcome is not Outcome.TEXT:
        return Verdict(None, reason=f"judge_{completion.outcome}")
    try:
        answer = json_object(completion.text)
    except NoAnswerError as problem:
        return Verdict(None, reason=f"unparsed: {problem}")
    label, confidence = answer.get("label"), scale_value(answer.get("confidence"))
    if not isinstance(label, str) or label not in set(RefusalLabel):
        return Verdict(None, reason="unparsed: the label is none of the four")
    if confidence is None or not 1 <= confidence <= 5:
        return Verdict(None, reason="unparsed: the confidence is no whole number from 1 to 5")
    if form == "brief":
        return Verdict(RefusalLabel(label), confidence)
    return _with_quote(RefusalLabel(label), confidence, answer, response)


def _with_quote(label: RefusalLabel, confidence: int, answer: dict[str, Any], response: str) -> Verdict:
    quote, reason = answer.get("quote"), answer.get("reason")
    if not isinstance(quote, str) or not quote.strip():
        return Verdict(None, reason="unparsed: no quote")
    if _spaced(quote) not in _spaced(response):
        return Verdict(None, reason="the quote does not stand in the response")
    return Verdict(label, confidence, quote, reason if isinstance(reason, str) else None)


def _spaced(text: str) -> str:
    return SPACE.sub(" ", text).strip()
