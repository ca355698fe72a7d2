"""Batch transports over the real SDKs and a local server, with short waits."""

import random
from collections.abc import Callable, Sequence

from builder.journal.store import Journal
from builder.providers.anthropic_batches import AnthropicBatches
from builder.providers.batches import Limits
from builder.providers.openai_batches import OpenAIBatches
from builder.transports.batch import BatchTransport
from builder.transports.interrupt import Interrupt
from builder.transports.protocol import Ask, AskReport, Watcher
from builder.transports.purse import Purse
from builder.transports.retry import RetryPolicy
from schemas.chat import ChatRequest, Message
from schemas.key import key_of
from tests.builder.test_live import Silent
from tests.servers.batch_server import BatchServer

PROTOCOLS = ["openai", "anthropic"]


def requests(words: Sequence[str], model: str, stage: str = "respond") -> list[Ask]:
    """One ask a word, at most 100 tokens each."""
    made = [ChatRequest(model, (Message("user", word),), max_tokens=100) for word in words]
    return [Ask(stage, key_of(request), request) for request in made]


def service(server: BatchServer, protocol: str, limit: int = 1000) -> OpenAIBatches | AnthropicBatches:
    """The SDK's service at the server."""
    kind = OpenAIBatches if protocol == "openai" else AnthropicBatches
    made = kind("k", f"{server.url}/v1" if protocol == "openai" else server.url, 10)
    made.limits = Limits(limit, 10**6)
    return made


def ask(
    journal: Journal,
    server: BatchServer,
    asks: Sequence[Ask],
    *,
    limit: int = 1000,
    purse: Purse | None = None,
    interrupt: Interrupt | None = None,
    watcher: Watcher | None = None,
) -> AskReport:
    """What became of the asks."""
    transport = BatchTransport(
        journal,
        lambda name: service(server, name.partition("/")[0], limit),
        watcher or Silent(),
        poll_s=0.01,
        interrupt=interrupt or Interrupt(),
        purse=purse or Purse(lambda _model: None),
        policy=RetryPolicy(attempts=3, pushed_back=3, base_s=0.001, cap_s=0.002),
        rng=random.Random(0),
    )
    return transport.ask(asks)


def left_under_way(journal: Journal, server: BatchServer, asks: Sequence[Ask]) -> None:
    """Submit the asks as one batch and stop before it has ended, as Ctrl-C does."""
    interrupt, name = Interrupt(), f"batch_{len(server.batches)}"
    server.running.add(name)
    before, server.on_submitted = server.on_submitted, interrupt.ask
    report = ask(journal, server, asks, interrupt=interrupt)
    server.on_submitted = before
    server.running.discard(name)
    assert set(report.not_asked.values()) == {"interrupted"}


def once(status: int, path: str, after: int = 0) -> Callable[[str, str], int | None]:
    """Trouble with one POST to a path that ends so, when it was called `after` times before."""
    seen: list[str] = []

    def trouble(method: str, called: str) -> int | None:
        if method != "POST" or not called.split("?")[0].endswith(path):
            return None
        seen.append(called)
        return status if len(seen) == after + 1 else None

    return trouble
