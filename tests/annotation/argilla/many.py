"""Pushes N made-up items, saying how far it is: `python -m tests.annotation.argilla.many URL KEY WORKSPACE N`."""

import sys

from annotation.argilla.api import Api
from annotation.argilla.push import Pushed, push
from annotation.items import Item, progress
from schemas.key import digest
from schemas.vocabulary import Topic


def items(number: int) -> list[Item]:
    """Items of the length that responses have, the same at every call."""
    return [
        Item(
            key=digest("many", str(place)),
            request_id=f"r{place // 3}",
            topic=Topic.FRAUD,
            request=f"What about number {place}?",
            response=f"Answer {place}. " + "It goes on for a while. " * 40,
            context=None,
            reason="no_deciding_vote",
            stream="routed",
        )
        for place in range(number)
    ]


def push_many(url: str, key: str, workspace: str, number: int) -> Pushed:
    """Push them, as the command does."""
    wanted = items(number)
    with Api(url, key) as api:
        return push(api, workspace, wanted, progress(wanted, ()), {}, lambda words: print(words, flush=True))


if __name__ == "__main__":
    push_many(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
