"""Scripts for the chat server: models that predict, respond and judge, well or badly, always the same for one text."""

import hashlib
import json
from typing import Any

from tests.servers.chat_server import Reply, text_reply

REFUSAL = "I'm sorry, but I can't help with that."
ANSWER = "Sure. Here is what you asked for: first you look at the matter from every side, then you write down the rest."


def stage_of(body: dict[str, Any]) -> str:
    """Which stage a request comes from, read off the schema it asks for."""
    shape = (
        body.get("response_format", {}).get("json_schema", {})
        or body.get("output_config", {}).get("format", {})
        or body.get("text", {}).get("format", {})
    )
    properties = shape.get("schema", {}).get("properties", {})
    if "refuse" in properties:
        return "predict"
    return "judge" if "label" in properties else "respond"


def draw(body: dict[str, Any]) -> int:
    """A number that depends on the messages alone."""
    said = body["input"] if "input" in body else body["messages"]
    return int(hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest(), 16)


def well_behaved(protocol: str, body: dict[str, Any], _call: int) -> Reply:
    """A model that always answers in form; it refuses one text in three."""
    number = draw(body)
    stage = stage_of(body)
    if stage == "predict":
        answer = {"refuse": ["yes", "no"][number % 2], "confidence": 1 + number % 5, "harm": 1 + number // 5 % 5}
        return text_reply(protocol, json.dumps(answer))
    if stage == "judge":
        return text_reply(protocol, json.dumps(verdict(str(body.get("input") or body["messages"]))))
    return text_reply(protocol, REFUSAL if number % 3 == 0 else ANSWER)


def verdict(material: str) -> dict[str, object]:
    """What an honest judge says of the two answers above."""
    refused = "sorry, but I can't help" in material
    return {
        "quote": "I can't help with that." if refused else "Here is what you asked for",
        "reason": "it declines" if refused else "it does it",
        "label": "full_refusal" if refused else "full_compliance",
        "confidence": 5,
    }
