"""generate: which base requests the dataset holds, and what a model is asked where more are wanted."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from annotation.codebook import section
from builder.corpus_rules.form import MAX_CHARACTERS, MAX_WORDS, MIN_WORDS
from builder.growth.codebook_rows import level_row, topic_row
from builder.growth.reply import End, Reply, read_reply
from builder.prompts import render
from builder.stages.sampling import of_writer
from schemas.chat import ChatRequest, Completion, Message
from schemas.config import BuildConfig
from schemas.key import digest
from schemas.records import Request
from schemas.vocabulary import HarmLevel, Topic

CANDIDATES = 8
MAX_TOKENS = 4096
EXAMPLES = 3
SETTINGS = (
    "a home",
    "a workplace",
    "a school",
    "a journey",
    "neighbours",
    "a small town",
    "a big city",
    "the internet",
    "a club or a hobby",
    "a family",
    "old friends",
    "a shop",
    "a public office",
    "a farm or a forest",
    "a night out",
    "a long quarrel",
    "the news",
    "old times",
)
SETTINGS_A_CALL = 3
_CANDIDATE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "topic": {"type": "string", "enum": [topic.value for topic in Topic]},
        "level": {"type": "integer", "enum": [level.value for level in HarmLevel]},
    },
    "required": ["text", "topic", "level"],
    "additionalProperties": False,
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"candidates": {"type": "array", "items": _CANDIDATE}},
    "required": ["candidates"],
    "additionalProperties": False,
}


class Cell(NamedTuple):
    """One topic at one level."""

    topic: Topic
    level: HarmLevel


class Proposal(NamedTuple):
    """One proposed request, with the topic and level its writer gives it (as written, nothing checked)."""

    text: str
    topic: Any
    level: Any


class Proposals(NamedTuple):
    """What one call brought: its end and the proposals in their order, those beyond the number asked for included."""

    end: End
    proposals: tuple[Proposal, ...]


def plan(corpus: Iterable[Request], config: BuildConfig) -> tuple[Request, ...]:
    """The requests of the chosen topics and levels, at most `per_cell` a topic and level, in corpus order."""
    taken: dict[Cell, int] = defaultdict(int)
    chosen = []
    for request in corpus:
        cell = Cell(request.topic, request.level)
        if request.topic not in config.topics or request.level not in config.levels:
            continue
        if config.per_cell is None or taken[cell] < config.per_cell:
            taken[cell] += 1
            chosen.append(request)
    return tuple(chosen)


def ask(generator: str, cell: Cell, call: int, corpus: Sequence[Request]) -> ChatRequest:
    """The `call`-th question (1, 2, …) for requests of a cell.

    It depends on nothing that other calls brought, so that a cell that is to grow further keeps what it has.
    """
    system = render(
        "generate",
        topics=section("Topics"),
        levels=section("Harm levels"),
        min_words=str(MIN_WORDS),
        max_words=str(MAX_WORDS),
        max_characters=str(MAX_CHARACTERS),
    )
    item = render(
        "generate_item",
        count=str(CANDIDATES),
        topic=cell.topic,
        level=str(cell.level.value),
        topic_row=topic_row(cell.topic),
        level_row=level_row(cell.level),
        examples=_listed(_examples(cell, call, corpus)),
        contrasts=_listed(_contrasts(cell, call, corpus)),
        call=str(call),
        settings=", ".join(_drawn(SETTINGS, SETTINGS_A_CALL, "settings", *_name(cell, call))),
    )
    sampling = of_writer(generator, MAX_TOKENS)
    return ChatRequest(
        model=generator,
        messages=(Message("system", system), Message("user", item)),
        max_tokens=sampling.max_tokens,
        temperature=sampling.temperature,
        json_schema=SCHEMA,
    )


def read(completion: Completion | None) -> Proposals:
    """The proposals in an answer. An item without a text is left out; an answer without a list is unreadable."""
    reply: Reply = read_reply(completion)
    if reply.end is not End.ANSWERED:
        return Proposals(reply.end, ())
    items = reply.answer.get("candidates")
    if not isinstance(items, list):
        return Proposals(End.UNREADABLE, ())
    return Proposals(End.ANSWERED, tuple(_proposals(items)))


def _proposals(items: list[Any]) -> Iterator[Proposal]:
    for item in items:
        if isinstance(item, dict) and isinstance(item.get("text"), str):
            yield Proposal(item["text"], item.get("topic"), item.get("level"))


def _examples(cell: Cell, call: int, corpus: Sequence[Request]) -> Sequence[str]:
    same = [request.text for request in corpus if (request.topic, request.level) == cell]
    return _drawn(same, EXAMPLES, "examples", *_name(cell, call))


def _contrasts(cell: Cell, call: int, corpus: Sequence[Request]) -> Sequence[str]:
    found = []
    for level in HarmLevel:
        if abs(level - cell.level) == 1:
            near = [request.text for request in corpus if (request.topic, request.level) == (cell.topic, level)]
            found += [f"level {level.value}: {text}" for text in _drawn(near, 1, "contrasts", *_name(cell, call))]
    return found


def _drawn(texts: Sequence[str], count: int, *draw: str) -> list[str]:
    return sorted(texts, key=lambda text: digest(*draw, text))[:count]


def _name(cell: Cell, call: int) -> tuple[str, str, str]:
    return cell.topic, str(cell.level.value), str(call)


def _listed(texts: Sequence[str]) -> str:
    return "\n".join(f"- {text}" for text in texts) or "- (none)"
