"""Prompt caching at Anthropic: what is marked, what is told of it, and what it costs."""

import asyncio
from typing import Any

import pytest

from builder.prices import cost_of, price_table
from builder.providers.anthropic_batches import AnthropicBatches
from builder.providers.anthropic_sdk import AnthropicProvider
from builder.providers.batches import Item
from builder.stages import judge
from schemas.chat import ChatRequest, Usage
from schemas.records import Response
from schemas.vocabulary import Outcome
from tests.servers.batch_server import batch_server
from tests.servers.chat_server import Reply, anthropic_reply, chat_server

MODEL = "anthropic/claude-sonnet-4-5"
QUESTIONS = [judge.ask(MODEL, f"Request {n}?", Response(f"k{n}", Outcome.TEXT, f"Response {n}.")) for n in range(3)]


def test_all_of_a_judge_s_calls_begin_with_the_same_marked_text() -> None:
    with chat_server(lambda _protocol, _body, _n: anthropic_reply("{}")) as server:
        asyncio.run(_ask(server.url, QUESTIONS))
        prefixes = [body["system"] for body in server.bodies]
        items = [str(body["messages"]) for body in server.bodies]
    assert all(prefix == prefixes[0] for prefix in prefixes)
    assert [part["cache_control"] for part in prefixes[0]] == [{"type": "ephemeral"}]
    assert all("cache_control" not in item for item in items)
    assert len(set(items)) == 3


def test_batches_mark_it_too() -> None:
    async def submitted(url: str) -> None:
        service = AnthropicBatches("k", url, 5)
        await service.submit([Item(f"k{n}", question) for n, question in enumerate(QUESTIONS)], "tag")
        await service.close()

    with batch_server(lambda _kind, _body: None) as server:
        asyncio.run(submitted(server.url))
        (batch,) = server.batches.values()
    assert all(body["system"][-1]["cache_control"] == {"type": "ephemeral"} for _, body in batch["items"])


@pytest.mark.parametrize(
    ("told", "usage"),
    [
        (
            {"input_tokens": 50, "output_tokens": 9, "cache_read_input_tokens": 1000, "cache_creation_input_tokens": 0},
            Usage(1050, 9, cached_tokens=1000, cache_write_tokens=0),
        ),
        (
            {"input_tokens": 50, "output_tokens": 9, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 1000},
            Usage(1050, 9, cached_tokens=0, cache_write_tokens=1000),
        ),
        (
            {"input_tokens": 50, "output_tokens": 9, "output_tokens_details": {"thinking_tokens": 4}},
            Usage(50, 9, reasoning_tokens=4),
        ),
    ],
)
def test_what_was_cached_is_recorded(told: dict[str, Any], usage: Usage) -> None:
    reply = Reply(anthropic_reply("{}").body | {"usage": told})
    with chat_server(lambda _protocol, _body, _n: reply) as server:
        (found,) = asyncio.run(_ask(server.url, QUESTIONS[:1]))
    assert found == usage


def test_cached_tokens_cost_a_tenth_and_written_ones_a_quarter_more() -> None:
    price = price_table()[MODEL]
    plain = cost_of(Usage(1000, 0), price)
    assert cost_of(Usage(1000, 0, cached_tokens=1000), price) == pytest.approx(plain / 10)
    assert cost_of(Usage(1000, 0, cache_write_tokens=1000), price) == pytest.approx(plain * 1.25)


async def _ask(url: str, questions: list[ChatRequest]) -> list[Usage]:
    provider = AnthropicProvider("k", url, 5, 1)
    found = [(await provider.complete(question, "k")).usage for question in questions]
    await provider.close()
    return found
