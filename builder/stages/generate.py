"""generate: which base requests the dataset holds."""

from collections import defaultdict
from collections.abc import Iterable

from schemas.config import BuildConfig
from schemas.records import Request
from schemas.vocabulary import HarmLevel, Topic


def plan(corpus: Iterable[Request], config: BuildConfig) -> tuple[Request, ...]:
    """The requests of the chosen topics and levels, at most `per_cell` a topic and level, in corpus order."""
    taken: dict[tuple[Topic, HarmLevel], int] = defaultdict(int)
    chosen = []
    for request in corpus:
        cell = (request.topic, request.level)
        if request.topic not in config.topics or request.level not in config.levels:
            continue
        if config.per_cell is None or taken[cell] < config.per_cell:
            taken[cell] += 1
            chosen.append(request)
    return tuple(chosen)
