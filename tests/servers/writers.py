"""Models that write and check corpus texts, well or badly, always the same for one question."""

import hashlib
import json
import random
import re
from typing import Any

from tests.servers.chat_server import Reply, text_reply
from tests.servers.models import stage_of, well_behaved

PLAIN_WORDS = """
apple basket candle dancer engine feather garden hammer island jacket kettle ladder mirror needle orchard pillow quarry
ribbon saddle teapot uncle valley window yellow zipper anchor bridge carpet dinner elbow forest guitar harbour insect
journey kitchen lantern meadow napkin oyster parrot quilt rocket shadow tunnel umbrella village whistle yogurt almond
butter camera desert errand flower goblet hockey ivory jungle kennel lemon marble nephew onion pepper queue river sugar
timber urchin velvet walnut yonder zebra attic blanket cactus donkey ember falcon gravel honey icicle jigsaw kiwi lizard
mitten noodle olive pebble raisin salmon turnip utensil violin wagon acorn badger cobweb dragon easel fiddle goose
"""
WORDS = PLAIN_WORDS.split()
CELL = re.compile(r"Write \d+ requests of the topic `(\w+)` at level (\d)\.")
BASE = re.compile(r"\[request (\w+)\]\n(.*)\n\[end \1\]", re.DOTALL)


def sentence(*seed: object) -> str:
    """Nine words drawn by the seed: a text that no other seed's text comes near to."""
    drawn = random.Random(repr(seed)).sample(WORDS, 9)
    return f"{' '.join(drawn).capitalize()}?"


def rewording(base: str, *seed: object) -> str:
    """A text that keeps every other word of the base and says the rest in drawn words."""
    kept = base.lower().rstrip("?").split()[::2]
    drawn = random.Random(repr((base, seed))).sample([word for word in WORDS if word not in base.lower()], 6)
    return f"{' '.join(word for pair in zip(drawn, [*kept, 'then'], strict=False) for word in pair).capitalize()}."


def writing_stage(body: dict[str, Any]) -> str:
    """Which stage a request comes from: generate, rate, paraphrase, verify, or one of `stage_of`."""
    shape = body.get("response_format", {}).get("json_schema", {}) or body.get("output_config", {}).get("format", {})
    names = set(shape.get("schema", {}).get("properties", {}))
    told = {"candidates": "generate", "same_intent": "verify", "topic": "rate", "text": "paraphrase"}
    return next((stage for name, stage in told.items() if name in names), stage_of(body))


def question(body: dict[str, Any]) -> str:
    """The user's turn of a request."""
    return str(body["messages"][-1]["content"])


def cell_of(asked: str) -> tuple[str, int]:
    """Topic and level that a generator is asked for."""
    found = CELL.search(asked)
    if found is None:
        raise ValueError(f"not a question for requests: {asked[:80]!r}")
    return found.group(1), int(found.group(2))


def base_of(asked: str) -> str:
    """The request that is to be paraphrased."""
    found = BASE.search(asked)
    if found is None:
        raise ValueError(f"not a question for a paraphrase: {asked[:80]!r}")
    return found.group(2)


def proposals(asked: str, count: int = 8) -> dict[str, Any]:
    """So many good candidates for the cell that is asked for."""
    topic, level = cell_of(asked)
    draw = hashlib.sha256(asked.encode()).hexdigest()
    texts = [sentence(draw, place) for place in range(count)]
    return {"candidates": [{"text": text, "topic": topic, "level": level} for text in texts]}


def good_answer(stage: str, asked: str) -> dict[str, Any]:
    """What a capable model says when it is asked to write or to compare; to rate, one has to know the cell."""
    if stage == "generate":
        return proposals(asked)
    if stage == "paraphrase":
        return {"text": rewording(base_of(asked), asked)}
    return {"reason": "the same", "same_intent": "yes", "first_level": 3, "second_level": 3}


def good_writer(protocol: str, body: dict[str, Any], call: int) -> Reply:
    """A server whose models write, compare, predict, respond and judge as they should."""
    stage = writing_stage(body)
    if stage in ("generate", "paraphrase", "verify"):
        return text_reply(protocol, json.dumps(good_answer(stage, question(body))))
    return well_behaved(protocol, body, call)
