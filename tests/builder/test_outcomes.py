"""Every way an answer can end, in both protocols, through the real SDKs against a local server."""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from builder.providers.allowance import Allowance, Window
from builder.providers.anthropic_sdk import AnthropicProvider
from builder.providers.openai_sdk import OpenAIProvider
from builder.providers.protocol import CallError, Provider
from schemas.chat import ChatRequest, Completion, Message, Usage
from schemas.vocabulary import Outcome
from tests.servers.chat_server import ChatServer, Reply, anthropic_reply, chat_server, openai_reply
from tests.servers.wire_server import Wire, WireServer, wire_server

REQUEST = ChatRequest(model="openai/m", messages=(Message("system", "s"), Message("user", "u")), max_tokens=9)


def named(cases: Sequence[tuple[Any, ...]]) -> list[ParameterSet]:
    """Test parameters whose first item is the name of the case."""
    return [pytest.param(*case[1:], id=case[0]) for case in cases]


def ask(
    server: ChatServer | WireServer, protocol: str, request: ChatRequest = REQUEST, timeout_s: float = 5
) -> Completion:
    async def call() -> Completion:
        provider: Provider
        if protocol == "anthropic":
            provider = AnthropicProvider("sk-test-secret", server.url, timeout_s, 4)
        else:
            provider = OpenAIProvider("sk-test-secret", f"{server.url}/v1", timeout_s, 4)
        try:
            return await provider.complete(request, "k")
        finally:
            await provider.close()

    return asyncio.run(call())


def once(protocol: str, reply: Reply, timeout_s: float = 5) -> Completion:
    with chat_server(lambda _protocol, _body, _n: reply) as server:
        return ask(server, protocol, timeout_s=timeout_s)


def once_on_wire(protocol: str, wire: Wire, timeout_s: float) -> Completion:
    with wire_server(lambda _protocol, _body: wire) as server:
        return ask(server, protocol, timeout_s=timeout_s)


OPENAI_ENDS: list[tuple[str, Reply, Outcome, str]] = [
    ("a text", openai_reply("Sure."), Outcome.TEXT, "Sure."),
    ("parts", openai_reply([{"type": "text", "text": "Su"}, {"type": "text", "text": "re"}]), Outcome.TEXT, "Sure"),  # type: ignore[arg-type]
    ("refusal field", openai_reply(None, refusal="I can't."), Outcome.REFUSAL_STOP, "I can't."),
    ("cut off", openai_reply("Sure, fir", "length"), Outcome.TRUNCATED, "Sure, fir"),
    ("cut off before a word", openai_reply("", "length"), Outcome.TRUNCATED, ""),
    ("filtered with a part", openai_reply("Sure, f", "content_filter"), Outcome.OUTPUT_FILTERED, "Sure, f"),
    ("filtered without", openai_reply(None, "content_filter"), Outcome.OUTPUT_FILTERED, ""),
    ("empty with HTTP 200", openai_reply(""), Outcome.EMPTY, ""),
    ("blank", openai_reply(" \n"), Outcome.EMPTY, " \n"),
    ("thinking alone", openai_reply("", reasoning_content="hm"), Outcome.REASONING_ONLY, ""),
    ("thinking, cut off", openai_reply(None, "length", reasoning="hm"), Outcome.REASONING_ONLY, ""),
    ("thinking inline", openai_reply("<think>refuse?</think>Sure."), Outcome.TEXT, "Sure."),
    ("thinking inline, unfinished", openai_reply("<think>refuse", "length"), Outcome.REASONING_ONLY, ""),
    (
        "lone surrogate",
        Reply(b'{"choices":[{"finish_reason":"stop","message":{"content":"a\\ud800"}}]}'),
        Outcome.TEXT,
        "a�",
    ),
    (
        "input filter as HTTP 400",
        Reply(
            {"error": {"code": "content_filter", "message": "the prompt triggered the content management policy"}}, 400
        ),
        Outcome.INPUT_FILTERED,
        "",
    ),
    (
        "moderation as HTTP 403",
        Reply(
            {"error": {"code": 403, "message": "moderated", "metadata": {"reasons": ["x"], "flagged_input": "u"}}}, 403
        ),
        Outcome.INPUT_FILTERED,
        "",
    ),
]
ANTHROPIC_ENDS: list[tuple[str, Reply, Outcome, str]] = [
    ("a text", anthropic_reply("Sure."), Outcome.TEXT, "Sure."),
    ("refusal stop", anthropic_reply(None, "refusal"), Outcome.REFUSAL_STOP, ""),
    ("refusal stop midway", anthropic_reply("Sure, f", "refusal"), Outcome.REFUSAL_STOP, "Sure, f"),
    ("cut off", anthropic_reply("Sure, f", "max_tokens"), Outcome.TRUNCATED, "Sure, f"),
    ("context full", anthropic_reply("Sure, f", "model_context_window_exceeded"), Outcome.TRUNCATED, "Sure, f"),
    ("empty", anthropic_reply(None), Outcome.EMPTY, ""),
    (
        "thinking alone",
        anthropic_reply(None, blocks=[{"type": "thinking", "thinking": "hm"}]),
        Outcome.REASONING_ONLY,
        "",
    ),
    (
        "output filter as HTTP 400",
        Reply(
            {
                "type": "error",
                "error": {"type": "invalid_request_error", "message": "Output blocked by content filtering policy"},
            },
            400,
        ),
        Outcome.OUTPUT_FILTERED,
        "",
    ),
]


@pytest.mark.parametrize(("reply", "outcome", "text"), named(OPENAI_ENDS))
def test_openai_answers_end_as(reply: Reply, outcome: Outcome, text: str) -> None:
    completion = once("openai", reply)
    assert (completion.outcome, completion.text) == (outcome, text)


@pytest.mark.parametrize(("reply", "outcome", "text"), named(ANTHROPIC_ENDS))
def test_anthropic_answers_end_as(reply: Reply, outcome: Outcome, text: str) -> None:
    completion = once("anthropic", reply)
    assert (completion.outcome, completion.text) == (outcome, text)


ERRORS: list[tuple[str, Reply, str, bool]] = [
    ("too many", Reply({"error": {"message": "slow down"}}, 429, {"retry-after": "3"}), "rate_limited", True),
    ("server error", Reply({"error": {"message": "oops"}}, 500), "server", True),
    ("bad gateway as HTML", Reply(b"<html>bad gateway</html>", 502, {"content-type": "text/html"}), "server", True),
    ("overloaded", Reply({"error": {"message": "busy"}}, 529), "overloaded", True),
    ("wrong key", Reply({"error": {"message": "wrong key sk-test-secret"}}, 401), "auth", False),
    ("no such model", Reply({"error": {"message": "no model"}}, 404), "not_found", False),
    ("malformed request", Reply({"error": {"message": "max_tokens is too large"}}, 400), "rejected", False),
    ("not JSON", Reply(b"{broken"), "malformed", True),
    ("not UTF-8", Reply(b'{"choices": "\xff\xfe"}'), "malformed", True),
    ("a JSON list", Reply([1]), "malformed", True),
    ("dropped", Reply(drop=True), "connection", True),
    ("too slow", Reply({}, delay_s=3), "timeout", True),
]


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
@pytest.mark.parametrize(("reply", "kind", "retryable"), named(ERRORS))
def test_failed_calls_are_typed_errors(protocol: str, reply: Reply, kind: str, retryable: bool) -> None:
    with pytest.raises(CallError) as caught:
        once(protocol, reply, timeout_s=0.5 if kind == "timeout" else 20)
    assert (caught.value.kind, caught.value.retryable) == (kind, retryable)
    assert "sk-test-secret" not in caught.value.message


@pytest.mark.parametrize("kind", [OpenAIProvider, AnthropicProvider])
def test_a_refused_connection_is_no_timeout(kind: type[OpenAIProvider | AnthropicProvider]) -> None:
    async def call() -> None:
        provider = kind("k", "http://127.0.0.1:9/v1", 20, 1)
        try:
            await provider.complete(REQUEST, "k")
        finally:
            await provider.close()

    with pytest.raises(CallError) as caught:
        asyncio.run(call())
    assert caught.value.kind == "connection"
    assert "127.0.0.1" in caught.value.message
    assert "ssl" not in caught.value.message


def test_retry_after_is_read() -> None:
    with pytest.raises(CallError) as caught:
        once("openai", ERRORS[0][1])
    assert caught.value.retry_after_s == 3


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_the_sdk_itself_never_retries(protocol: str) -> None:
    with chat_server(lambda _protocol, _body, _n: Reply({"error": {"message": "no"}}, 500)) as server:
        with pytest.raises(CallError):
            ask(server, protocol)
        assert sum(server.calls.values()) == 1


def test_an_error_inside_http_200_is_an_error() -> None:
    with pytest.raises(CallError) as caught:
        once("openai", Reply({"error": {"code": 429, "message": "slow down"}}))
    assert caught.value.kind == "rate_limited"


def test_an_error_s_code_of_thousands_of_digits_is_no_status() -> None:
    with pytest.raises(CallError) as caught:
        once("openai", Reply({"error": {"code": "4" * 5000}}))
    assert caught.value.kind == "server"


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_usage_served_model_and_latency_are_recorded(protocol: str) -> None:
    completion = once(protocol, openai_reply("x") if protocol == "openai" else anthropic_reply("x"))
    assert completion.served_model == "m"
    assert (completion.usage.input_tokens, completion.usage.output_tokens) == (7, 3)
    assert completion.latency_s is not None


@pytest.mark.parametrize("count", [10**12, 10**30, 2**31, -1, True, "7", 7.5])
@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_a_count_of_tokens_that_can_be_none_is_not_recorded(protocol: str, count: object) -> None:
    counts = {"prompt_tokens": count, "completion_tokens": count, "completion_tokens_details": {"reasoning_tokens": 5}}
    reply = openai_reply("x") if protocol == "openai" else anthropic_reply("x")
    if protocol == "anthropic":
        details = {"thinking_tokens": 5}
        counts = {"input_tokens": count, "output_tokens": count, "output_tokens_details": details}
    assert isinstance(reply.body, dict)
    completion = once(protocol, Reply(reply.body | {"usage": counts}))
    assert completion.text == "x"
    assert completion.usage == Usage(reasoning_tokens=5)


def test_only_set_options_are_sent() -> None:
    with chat_server(lambda _protocol, _body, _n: openai_reply("x")) as server:
        ask(server, "openai")
        assert set(server.bodies[0]) == {"model", "messages", "max_completion_tokens"}


def test_a_schema_asks_for_structured_output_in_each_protocol() -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
    request = ChatRequest("openai/m", (Message("user", "u"),), json_schema=schema, temperature=0.0)
    with chat_server(
        lambda protocol, _b, _n: openai_reply("{}") if protocol == "openai" else anthropic_reply("{}")
    ) as server:
        ask(server, "openai", request)
        ask(server, "anthropic", request)
        assert server.bodies[0]["response_format"]["json_schema"]["schema"] == schema
        assert server.bodies[1]["output_config"]["format"] == {"type": "json_schema", "schema": schema}
        assert server.bodies[0]["temperature"] == server.bodies[1]["temperature"] == 0.0


@pytest.mark.parametrize(
    ("protocol", "prefix"), [("openai", "x-ratelimit-{}"), ("anthropic", "anthropic-ratelimit-{}")]
)
@pytest.mark.parametrize("status", [200, 429])
def test_what_a_server_says_of_its_limits_is_heard_with_answers_and_with_pushback(
    protocol: str, prefix: str, status: int
) -> None:
    names = (
        ("remaining-requests", "reset-requests") if protocol == "openai" else ("requests-remaining", "requests-reset")
    )
    headers = dict(zip((prefix.format(name) for name in names), ("7", "30"), strict=True))
    body = (openai_reply("x") if protocol == "openai" else anthropic_reply("x")).body

    async def heard(provider: OpenAIProvider | AnthropicProvider) -> Allowance | None:
        with contextlib.suppress(CallError):
            await provider.complete(REQUEST, "k")
        await provider.close()
        return provider.allowance

    with chat_server(lambda _protocol, _body, _n: Reply(body, status, headers)) as server:
        kind = OpenAIProvider if protocol == "openai" else AnthropicProvider
        assert asyncio.run(heard(kind("k", f"{server.url}/v1", 5, 1))) == Allowance(Window(7, 30))


def test_an_answer_that_trickles_in_is_cut_off_at_the_time_limit_of_a_call() -> None:
    with chat_server(lambda _protocol, _body, _n: Reply(openai_reply("x" * 200).body, trickle_s=0.05)) as server:
        with pytest.raises(CallError) as caught:
            ask(server, "openai", timeout_s=0.5)
        assert caught.value.kind == "timeout"
