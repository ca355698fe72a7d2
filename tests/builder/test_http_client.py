"""Live calls go through a client that sends what the SDK's own would send, and to the given address alone."""

import asyncio

import pytest

from builder.providers import anthropic_sdk, openai_sdk
from builder.providers.protocol import CallError
from tests.builder.test_outcomes import ask
from tests.servers.chat_server import ChatServer, Reply, anthropic_reply, chat_server, openai_reply

REPLIES = {"openai": openai_reply("ok"), "anthropic": anthropic_reply("ok")}


def usual_headers(server: ChatServer, protocol: str) -> dict[str, str]:
    """What the SDK's own client sends, through the SDK's own method."""

    async def call() -> None:
        if protocol == "openai":
            async with openai_sdk.openai_client("sk-test-secret", f"{server.url}/v1", 5, 4) as client:
                await client.chat.completions.create(model="m", messages=[{"role": "user", "content": "u"}])
        else:
            async with anthropic_sdk.anthropic_client("sk-test-secret", server.url, 5, 4) as other:
                await other.messages.create(model="m", max_tokens=9, messages=[{"role": "user", "content": "u"}])

    asyncio.run(call())
    return server.headers[-1]


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_a_live_call_sends_the_headers_of_the_sdk(protocol: str) -> None:
    with chat_server(lambda protocol, _body, _n: REPLIES[protocol]) as server:
        usual = usual_headers(server, protocol)
        ask(server, protocol)
    ours = server.headers[-1]
    for headers in (usual, ours):
        headers.pop("Content-Length", None)
        headers.pop("content-length", None)
    assert {name.lower(): value for name, value in ours.items()} == {n.lower(): value for n, value in usual.items()}


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed_and_is_called_one(protocol: str, status: int) -> None:
    with chat_server(lambda protocol, _body, _n: REPLIES[protocol]) as elsewhere:
        reply = Reply({}, status, {"location": f"{elsewhere.url}/v2"})
        with chat_server(lambda _protocol, _body, _n: reply) as server, pytest.raises(CallError) as caught:
            ask(server, protocol)
    assert caught.value.hopeless
    assert f"HTTP {status}: it redirects to {elsewhere.url}/v2;" in caught.value.message
    assert not elsewhere.bodies


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_the_proxy_of_the_environment_is_used(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with chat_server(lambda protocol, _body, _n: REPLIES[protocol]) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        nowhere = ChatServer(lambda _protocol, _body, _n: Reply())
        nowhere.url = "http://models.invalid"
        assert ask(nowhere, protocol).text == "ok"
    assert [headers["Host"] for headers in proxy.headers] == ["models.invalid"]
