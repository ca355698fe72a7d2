"""Which kinds of paraphrase a request gets: balanced over topics and levels, and the same however far a cell grows."""

from schemas.records import Request
from schemas.vocabulary import HarmLevel, ParaphraseKind, Topic

KINDS = tuple(ParaphraseKind)
STEP_A_LEVEL = 4


def kinds_of(request: Request, paraphrases: int) -> tuple[ParaphraseKind, ...]:
    """The kinds of a request's paraphrases, in order, none twice as long as there are enough.

    They run on through the requests of a cell; cells start apart, so that small ones make up for each other.
    """
    number = int(request.request_id.rpartition("-")[2])
    topic, level = list(Topic).index(request.topic), list(HarmLevel).index(request.level)
    start = topic + STEP_A_LEVEL * level + (number - 1) * paraphrases
    return tuple(KINDS[(start + place) % len(KINDS)] for place in range(paraphrases))
