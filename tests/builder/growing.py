"""Growing a small corpus without a journal or a server: a record in memory, filled by a scripted model."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from builder.growth.grow import grow, take_steps
from builder.growth.records import Grown, Step
from builder.transports.protocol import Ask
from schemas.chat import Completion
from schemas.config import BuildConfig
from schemas.records import Request
from schemas.vocabulary import HarmLevel, Outcome, Topic
from tests.builder.corpus_rules.sample import request
from tests.servers.writers import good_answer, rewording, sentence

Said = dict[str, Any] | str | Outcome | None
Answer = Callable[[str, str], Said]
GENERATE = {"source": "generate", "generator": "openai/w", "topics": ("fraud",), "levels": (1, 4), "per_cell": 3}


def config(**settings: Any) -> BuildConfig:
    """Settings of a small generated corpus without paraphrases, changed as told."""
    return BuildConfig.model_validate(GENERATE | {"paraphrases": 0} | settings)


def small_corpus(per_cell: int = 2) -> tuple[Request, ...]:
    """So many requests, each with two paraphrases, in every cell of fraud and hate."""
    return tuple(
        request(
            (text := sentence("bundled", topic, level, number)),
            [rewording(text, 1), rewording(text, 2)],
            number=number,
            topic=topic,
            level=level,
        )
        for topic in (Topic.HATE, Topic.FRAUD)
        for level in HarmLevel
        for number in range(1, per_cell + 1)
    )


class Model:
    """A scripted model with a record of what it was asked; None from the script is a call that fails."""

    def __init__(self, answer: Answer = good_answer) -> None:
        self.answer = answer
        self.record: dict[str, Completion] = {}
        self.asked: Counter[str] = Counter()
        self.asks: list[Ask] = []

    def meet(self, step: Step) -> None:
        """Answer what is not on record."""
        for ask in step.asks:
            if ask.key in self.record:
                continue
            self.asked[ask.stage] += 1
            self.asks.append(ask)
            said = self.answer(_kind(ask), ask.request.messages[-1].content)
            if said is not None:
                self.record[ask.key] = completion(ask.key, said)

    def grow(self, settings: BuildConfig, corpus: tuple[Request, ...] | None = None) -> Grown:
        """The corpus grown with this model from what it has on record."""
        return take_steps(grow(small_corpus() if corpus is None else corpus, settings, self.record.get), self.meet)


def completion(key: str, said: dict[str, Any] | str | Outcome) -> Completion:
    """An answer: a JSON object, a text, or another outcome."""
    if isinstance(said, Outcome):
        return Completion(key, said, "")
    return Completion(key, Outcome.TEXT, said if isinstance(said, str) else json.dumps(said))


def _kind(ask: Ask) -> str:
    asks_for_topic = "topic" in (ask.request.json_schema or {}).get("properties", {})
    return "rate" if asks_for_topic else ask.stage
