"""Bodies, headers and connections no server should send: each is a failed call or an answer, never a crash."""

import asyncio
import contextlib
import json
import socket
import struct
import threading
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from builder.providers.allowance import Allowance, Window, allowance_of, retry_after, seconds_until
from builder.providers.anthropic_batches import AnthropicBatches
from builder.providers.anthropic_sdk import AnthropicProvider
from builder.providers.batches import Item
from builder.providers.failures import filter_outcome, status_error
from builder.providers.openai_sdk import OpenAIProvider, openai_client
from builder.providers.openai_wire import from_openai
from builder.providers.protocol import CallError
from builder.providers.responses_wire import from_responses
from builder.providers.sdk_call import SdkCalls, SdkErrors, finished
from builder.providers.words import excerpt
from schemas.chat import Completion
from schemas.vocabulary import Outcome
from tests.builder.test_outcomes import REQUEST, once, once_on_wire
from tests.servers.chat_server import Reply, chat_server, openai_reply, text_reply
from tests.servers.wire_server import Wire, WireServer, http, wire_server

DEEP = b"[" * 200_000
FAR = "Wed, 21 Oct 2099 07:28:00 +99999999999999"
NO_DATES = [FAR, "Wed, 99999999999999999999 Oct 2099 07:28:00 GMT", "Wed, 21 Oct 99999999999999999999 07:28:00 GMT"]
PROTOCOLS = pytest.mark.parametrize("protocol", ["openai", "anthropic"])


@PROTOCOLS
@pytest.mark.parametrize(("status", "kind"), [(400, "rejected"), (500, "server")])
def test_an_error_s_body_without_a_ground_is_an_error(protocol: str, status: int, kind: str) -> None:
    with pytest.raises(CallError) as caught:
        once_on_wire(protocol, Wire((http(DEEP, status),)), 5)
    assert caught.value.kind == kind


def test_what_the_sdk_itself_cannot_parse_is_malformed() -> None:
    async def call(url: str) -> None:
        service = AnthropicBatches("k", url, 5)
        try:
            await service.submit([Item("k", REQUEST)], "tag")
        finally:
            await service.close()

    with wire_server(lambda _protocol, _body: Wire((http(DEEP),))) as server, pytest.raises(CallError) as caught:
        asyncio.run(call(server.url))
    assert caught.value.kind == "malformed"


def nested(levels: int) -> Any:
    """A list in a list in a list."""
    value: Any = "x"
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("body", [{"error": nested(5000)}, {"error": {"code": nested(5000), "message": nested(5000)}}])
def test_an_error_that_nests_too_deep_to_be_told_is_told_by_its_status(body: Any) -> None:
    assert filter_outcome(400, body) is None
    assert status_error(429, body, {}, 0.0).message == "HTTP 429"


@pytest.mark.parametrize("date", NO_DATES)
def test_a_date_of_impossible_numbers_says_nothing(date: str) -> None:
    assert retry_after({"retry-after": date}, 0.0) is None
    told = {"x-ratelimit-remaining-requests": "5", "x-ratelimit-reset-requests": "1s", "date": date}
    assert allowance_of(told, 0.0) == Allowance(Window(5, 1))
    assert seconds_until(date, 0.0) is None


def test_an_allowance_of_any_size_is_a_number_to_reckon_with() -> None:
    told = {"x-ratelimit-remaining-requests": "9" * 300, "x-ratelimit-reset-requests": "9" * 500 + "s"}
    assert allowance_of(told, 0.0) == Allowance(Window(10**15, 86_400.0))


@PROTOCOLS
def test_an_answer_under_an_impossible_date_is_an_answer(protocol: str) -> None:
    body = json.dumps(text_reply(protocol, "x").body).encode()
    extra = f"x-ratelimit-remaining-requests: 5\r\nx-ratelimit-reset-requests: 1s\r\ndate: {FAR}\r\n"
    assert once_on_wire(protocol, Wire((http(body, extra=extra),)), 5).text == "x"


def test_a_reason_that_is_a_word_is_that_word() -> None:
    body = {"status": "incomplete", "incomplete_details": "max_output_tokens", "output": []}
    completion = from_responses(body, "k")
    assert (completion.outcome, completion.stop_reason) == (Outcome.TRUNCATED, "max_output_tokens")


def test_a_message_s_content_is_read_as_text_or_not_at_all() -> None:
    def body(content: object) -> dict[str, Any]:
        return {"status": "completed", "output": [{"type": "message", "content": content}]}

    assert from_responses(body("hello"), "k").text == "hello"
    assert from_responses(body(None), "k").outcome is Outcome.EMPTY
    with pytest.raises(CallError) as caught:
        from_responses(body(7), "k")
    assert caught.value.kind == "malformed"


@pytest.mark.parametrize("fault", [AttributeError, KeyError, TypeError, ValueError, RecursionError, OverflowError])
def test_a_body_that_breaks_its_reader_is_malformed(fault: type[Exception]) -> None:
    def read(_body: Any, _key: str) -> Completion:
        raise fault("odd")

    async def create() -> httpx2.Response:
        return httpx2.Response(200, content=b"{}")

    calls = SdkCalls(SdkErrors(*[ZeroDivisionError] * 4), 5)
    with pytest.raises(CallError) as caught:
        asyncio.run(calls.ask(create, read, "k"))
    assert caught.value.kind == "malformed"
    assert fault.__name__ in caught.value.message


@PROTOCOLS
@pytest.mark.parametrize("status", [200, 400])
def test_a_key_at_the_end_of_a_long_message_is_not_cut_in_half(
    protocol: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "0123456789abcdef" * 3
    monkeypatch.setenv("TOGETHER_API_KEY", key)
    with pytest.raises(CallError) as caught:
        once(protocol, Reply({"error": {"message": "x" * 480 + " " + key}}, status))
    assert key[:8] not in caught.value.message
    assert caught.value.message.endswith("x [secret removed]")


def test_an_excerpt_is_short_and_well_formed() -> None:
    assert excerpt("a\ud800" + "b" * 500) == "a\ufffd" + "b" * 298


def test_every_text_of_an_answer_can_be_stored() -> None:
    odd = "\ud800"
    body: dict[str, Any] = {"model": odd, "system_fingerprint": odd}
    body["choices"] = [{"finish_reason": odd, "message": {"content": odd}}]
    live = once("openai", Reply(json.dumps(body).encode()))
    batch = finished(from_openai(body, "k"), odd)
    for read in (live, batch):
        told = {read.text, read.served_model, read.fingerprint, read.stop_reason}
        assert told == {"\ufffd"}
    assert batch.request_id == "\ufffd"


@contextlib.contextmanager
def resetting() -> Iterator[WireServer]:
    """A server that resets every connection once it was asked something."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    connection.recv(65_536)
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    connection.close()

        threading.Thread(target=serve, daemon=True).start()
        yield WireServer(lambda _protocol, _body: Wire(()), url=f"http://127.0.0.1:{listening.getsockname()[1]}")


@pytest.mark.parametrize("kind", [OpenAIProvider, AnthropicProvider])
def test_a_connection_that_is_reset_is_no_timeout(kind: type[OpenAIProvider | AnthropicProvider]) -> None:
    async def call(url: str) -> None:
        provider = kind("k", url, 5, 1)
        try:
            await provider.complete(REQUEST, "k")
        finally:
            await provider.close()

    with resetting() as server, pytest.raises(CallError) as caught:
        asyncio.run(call(server.url))
    assert (caught.value.kind, caught.value.sent) == ("connection", True)
    assert "reset" in caught.value.message


@pytest.mark.parametrize("silent", [Reply(drop=True), Reply({}, delay_s=2)], ids=["dropped", "too slow"])
def test_a_call_without_an_answer_tells_no_allowance(silent: Reply) -> None:
    told = Reply(openai_reply("x").body, 200, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "9"})

    async def heard(url: str) -> list[Allowance | None]:
        provider = OpenAIProvider("k", f"{url}/v1", 0.5, 1)
        found = []
        for _ in range(3):
            with contextlib.suppress(CallError):
                await provider.complete(REQUEST, "k")
            found.append(provider.allowance)
        await provider.close()
        return found

    replies = iter([told, silent, told])
    with chat_server(lambda _protocol, _body, _n: next(replies)) as server:
        allowed = Allowance(Window(0, 9))
        assert asyncio.run(heard(server.url)) == [allowed, None, allowed]


@PROTOCOLS
def test_an_error_inside_http_200_keeps_the_wait_it_asks_for(protocol: str) -> None:
    body = {"type": "error", "error": {"type": "rate_limit_error", "message": "slow down"}}
    with pytest.raises(CallError) as caught:
        once(protocol, Reply(body, 200, {"retry-after": "30"}))
    assert (caught.value.kind, caught.value.retry_after_s) == ("rate_limited", 30)


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("https://api.openai.com/v1", True),
        ("https://eu.api.openai.com/v1", True),
        ("http://127.0.0.1:9/v1", False),
        ("https://api.openai.com.example.org/v1", False),
        ("https://example.org/api.openai.com", False),
    ],
)
def test_only_openai_is_told_the_organisation_and_the_project(
    url: str, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-mine")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-mine")
    client = openai_client("k", url, 5, 1)
    names = {name: client.default_headers.get(name) for name in ("OpenAI-Organization", "OpenAI-Project")}
    assert ("org-mine" in names.values(), "proj-mine" in names.values()) == (told, told)
    asyncio.run(client.close())


def test_another_server_gets_no_header_of_openai_s_accounts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-mine")

    async def call(url: str) -> None:
        provider = OpenAIProvider("k", f"{url}/v1", 5, 1)
        await provider.complete(REQUEST, "k")
        await provider.close()

    with chat_server(lambda _protocol, _body, _n: openai_reply("x")) as server:
        asyncio.run(call(server.url))
        assert "org-mine" not in json.dumps(server.headers[-1])
