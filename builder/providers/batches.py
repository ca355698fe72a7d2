"""What a provider's batch API is to the batch transport."""

from collections.abc import AsyncGenerator, Sequence
from datetime import timedelta
from typing import NamedTuple, Protocol

from builder.providers.protocol import CallError
from schemas.chat import ChatRequest, Completion
from schemas.model_name import parse_model

CLOCKS_DIFFER = timedelta(hours=1)  # a provider's from ours, at most


def has_batches(model: str) -> bool:
    """Whether the provider of a `provider/model` has a batch API that we speak."""
    return parse_model(model).provider in ("openai", "anthropic")


class Item(NamedTuple):
    """One request of a batch, under its key."""

    key: str
    request: ChatRequest


class Limits(NamedTuple):
    """The most one batch may hold."""

    requests: int
    bytes: int


class BatchState(NamedTuple):
    """Whether a batch has ended, how many of its requests are done, and why it failed as a whole, if it did."""

    ended: bool
    done: int
    error: str | None = None


class Sighting(NamedTuple):
    """The ids of batches that may be the one that is looked for, the likeliest first; `proved` if the first one is."""

    ids: tuple[str, ...] = ()
    proved: bool = False


class BatchService(Protocol):
    """Submits batches and reads their results. Every method raises CallError if the provider does not answer."""

    limits: Limits

    def size(self, item: Item) -> int:
        """Bytes the item takes in a batch."""
        ...

    async def submit(self, items: Sequence[Item], tag: str) -> str:
        """Submit a batch under a tag of ours; returns the provider's id."""
        ...

    async def find(self, tag: str, count: int, since: str) -> Sighting:
        """The batches that may be the one of `count` requests submitted under the tag since that time."""
        ...

    async def state(self, batch_id: str) -> BatchState:
        """How far the batch is."""
        ...

    def results(self, batch_id: str) -> AsyncGenerator[tuple[str, Completion | CallError], None]:
        """(key, completion or error) of every request the ended batch has a result for; partial ones included.

        Raises CallError `not_found` if the provider does not keep them any more.
        """
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...
