"""Every example in docs/outcomes.md, through the real SDK: what the page says is what happens."""

import asyncio
import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from builder.providers.anthropic_sdk import AnthropicProvider
from builder.providers.openai_sdk import OpenAIProvider
from builder.providers.protocol import CallError, Provider
from builder.stages.respond import is_substituted
from schemas.chat import ChatRequest, Completion, Message
from schemas.vocabulary import Outcome
from tests.servers.chat_server import ChatServer, Reply, chat_server, openai_reply

PAGE = Path(__file__).parents[2] / "docs" / "outcomes.md"
EXAMPLE = re.compile(
    r"^### (?P<title>[^\n]+)\n(?P<protocol>chat|responses|messages), HTTP (?P<status>\d+), ends as `(?P<end>\w+)`"
    r'(?:, keeping "(?P<text>[^\n]+)")?\n```json\n(?P<body>.+?)\n```$',
    re.MULTILINE | re.DOTALL,
)


class Example(NamedTuple):
    """One example of the page."""

    protocol: str
    status: int
    end: str
    text: str
    body: str


def examples() -> dict[str, Example]:
    """The examples by their titles."""
    return {
        found["title"]: Example(
            found["protocol"], int(found["status"]), found["end"], found["text"] or "", found["body"]
        )
        for found in EXAMPLE.finditer(PAGE.read_text(encoding="utf-8"))
    }


def asked(server: ChatServer, protocol: str, model: str = "openai/m") -> Completion:
    """What comes of one call in the protocol."""

    async def call() -> Completion:
        provider: Provider
        if protocol == "messages":
            provider = AnthropicProvider("k", server.url, 5, 1)
        else:
            api = "responses" if protocol == "responses" else "chat"
            provider = OpenAIProvider("k", f"{server.url}/v1", 5, 1, api)  # type: ignore[arg-type]
        try:
            return await provider.complete(ChatRequest(model, (Message("user", "u"),), max_tokens=9), "k")
        finally:
            await provider.close()

    return asyncio.run(call())


@pytest.mark.parametrize("title", examples())
def test_an_example_ends_as_the_page_says(title: str) -> None:
    example = examples()[title]
    reply = Reply(example.body.encode(), example.status)
    with chat_server(lambda _protocol, _body, _n: reply) as server:
        if example.end not in list(Outcome):
            with pytest.raises(CallError) as caught:
                asked(server, example.protocol)
            assert caught.value.kind == example.end
            return
        completion = asked(server, example.protocol)
    assert (completion.outcome, completion.text) == (example.end, example.text)
    if example.status == 200 and "model" in (body := json.loads(example.body)):
        assert completion.served_model == body["model"]


def test_the_page_has_every_example_in_readable_form_and_every_outcome() -> None:
    found = examples()
    assert len(found) == PAGE.read_text(encoding="utf-8").count("\n### ")
    assert {example.end for example in found.values()} >= set(Outcome)


def test_a_pinned_route_is_asked_for_and_what_served_is_recorded() -> None:
    body = openai_reply("x").body | {"provider": "Host", "model": "vendor/other"}
    with chat_server(lambda _protocol, _body, _n: Reply(body)) as server:
        completion = asked(server, "chat", "openrouter/vendor/model@host")
        asked(server, "chat", "openrouter/vendor/model")
        pinned, free = server.bodies
    assert pinned["model"] == free["model"] == "vendor/model"
    assert pinned["provider"] == {"only": ["host"], "allow_fallbacks": False, "require_parameters": True}
    assert free["provider"] == {"allow_fallbacks": False, "require_parameters": True}
    assert completion.fingerprint == "Host"
    assert is_substituted("openrouter/vendor/model@host", completion.served_model)
    assert not is_substituted("openrouter/vendor/model@host", "vendor/model")
