"""OpenAI's Responses API: which models go there, what is sent, and every way an answer can end."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from builder.cli import main
from builder.providers.openai_apis import OpenAIApi, api_of
from builder.providers.openai_sdk import OpenAIProvider
from builder.providers.protocol import CallError
from schemas.chat import ChatRequest, Completion, Message, Usage
from schemas.vocabulary import Outcome
from tests.builder.test_build import digests
from tests.builder.test_outcomes import named
from tests.servers.batch_server import batch_server
from tests.servers.chat_server import ChatServer, Reply, chat_server, responses_reply
from tests.servers.models import well_behaved

SCHEMA: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
REQUEST = ChatRequest(
    model="openai/o3",
    messages=(Message("system", "s"), Message("user", "u")),
    max_tokens=9,
    effort="low",
    json_schema=SCHEMA,
)
REASONING = {"type": "reasoning", "id": "g", "summary": []}


def message(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An output message of these parts."""
    return {"type": "message", "id": "i", "role": "assistant", "status": "completed", "content": list(parts), **more}


def text(words: str) -> dict[str, Any]:
    """A part of text."""
    return {"type": "output_text", "text": words, "annotations": []}


def failed(code: str, words: str = "no") -> Reply:
    """A response that failed, inside HTTP 200."""
    body = responses_reply(None).body | {"status": "failed", "error": {"code": code, "message": words}}
    return Reply(body)


@pytest.mark.parametrize(
    ("name", "api"),
    [
        ("openai/o3", "responses"),
        ("openai/o4-mini-2025-04-16", "responses"),
        ("openai/o1-pro", "responses"),
        ("openai/gpt-5.2", "responses"),
        ("openai/gpt-5-pro-2025-10-06", "responses"),
        ("openai/gpt-6-sol", "responses"),
        ("openai/gpt-5.1-codex-max", "responses"),
        ("openai/o4-mini-deep-research", "responses"),
        ("openai/gpt-4o", "chat"),
        ("openai/gpt-4.1-mini", "chat"),
        ("openai/gpt-3.5-turbo", "chat"),
        ("openai/gpt-5-chat-latest", "chat"),
        ("openai/o1-mini", "chat"),
        ("openai/omni-moderation", "chat"),
        ("openrouter/openai/o3", "chat"),
        ("together/openai/gpt-oss-120b", "chat"),
        ("openai-compatible/gpt-5", "chat"),
    ],
)
def test_reasoning_models_of_openai_are_asked_through_responses(name: str, api: OpenAIApi) -> None:
    assert api_of(name, {}) == api


@pytest.mark.parametrize(("name", "api"), [("openai/gpt-4o", "responses"), ("openai/o3", "chat")])
def test_the_user_has_the_last_word_on_the_api(name: str, api: OpenAIApi) -> None:
    assert api_of(name, {name: api}) == api


def ask(server: ChatServer, request: ChatRequest = REQUEST) -> Completion:
    async def call() -> Completion:
        provider = OpenAIProvider("sk-test-secret", f"{server.url}/v1", 5, 4, "responses")
        try:
            return await provider.complete(request, "k")
        finally:
            await provider.close()

    return asyncio.run(call())


def once(reply: Reply) -> Completion:
    with chat_server(lambda _protocol, _body, _n: reply) as server:
        return ask(server)


ENDS: list[tuple[str, Reply, Outcome, str, str]] = [
    ("a text", responses_reply("Sure."), Outcome.TEXT, "Sure.", "completed"),
    (
        "after reasoning",
        responses_reply("", items=[REASONING, message(text("Su"), text("re"))]),
        *(Outcome.TEXT, "Sure", "completed"),
    ),
    (
        "comments on the way",
        responses_reply(
            "", items=[message(text("Hm. "), phase="commentary"), message(text("Sure."), phase="final_answer")]
        ),
        *(Outcome.TEXT, "Sure.", "completed"),
    ),
    (
        "a refusal part",
        responses_reply("", items=[REASONING, message({"type": "refusal", "refusal": "I can't."})]),
        *(Outcome.REFUSAL_STOP, "I can't.", "completed"),
    ),
    ("cut off", responses_reply("Sure, fir", "max_output_tokens"), Outcome.TRUNCATED, "Sure, fir", "max_output_tokens"),
    (
        "cut off while reasoning",
        responses_reply("", "max_output_tokens", items=[REASONING]),
        *(Outcome.REASONING_ONLY, "", "max_output_tokens"),
    ),
    ("cut off before a word", responses_reply(None, "max_output_tokens"), Outcome.TRUNCATED, "", "max_output_tokens"),
    (
        "filtered with a part",
        responses_reply("Sure, f", "content_filter"),
        Outcome.OUTPUT_FILTERED,
        "Sure, f",
        "content_filter",
    ),
    ("filtered without", responses_reply(None, "content_filter"), Outcome.OUTPUT_FILTERED, "", "content_filter"),
    ("reasoning alone", responses_reply("", items=[REASONING]), Outcome.REASONING_ONLY, "", "completed"),
    ("empty", responses_reply(None), Outcome.EMPTY, "", "completed"),
    ("blank", responses_reply(" \n"), Outcome.EMPTY, " \n", "completed"),
    ("prompt refused by policy", failed("invalid_prompt", "flagged"), Outcome.INPUT_FILTERED, "", "invalid_prompt"),
    ("refused by a policy of its own", failed("bio_policy"), Outcome.INPUT_FILTERED, "", "bio_policy"),
]


@pytest.mark.parametrize(("reply", "outcome", "words", "stop"), named(ENDS))
def test_responses_end_as(reply: Reply, outcome: Outcome, words: str, stop: str) -> None:
    completion = once(reply)
    assert (completion.outcome, completion.text, completion.stop_reason) == (outcome, words, stop)


def test_a_policy_error_with_http_400_is_an_outcome() -> None:
    reply = Reply(
        {"error": {"code": "invalid_prompt", "message": "flagged as potentially violating our usage policy"}}, 400
    )
    assert once(reply).outcome is Outcome.INPUT_FILTERED


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (failed("server_error"), "server"),
        (failed("rate_limit_exceeded"), "rate_limited"),
        (failed("data_residency_mismatch"), "server"),
        (Reply(responses_reply(None).body | {"status": "cancelled"}), "server"),
        (Reply(responses_reply(None).body | {"status": "queued"}), "malformed"),
        (Reply(responses_reply(None).body | {"output": None}), "malformed"),
        (Reply([1]), "malformed"),
        (Reply({"error": {"message": "no model"}}, 404), "not_found"),
        (Reply({"error": {"message": "slow down"}}, 429), "rate_limited"),
    ],
)
def test_responses_that_fail_are_typed_errors(reply: Reply, kind: str) -> None:
    with pytest.raises(CallError) as caught:
        once(reply)
    assert caught.value.kind == kind


def test_usage_and_served_model_are_recorded() -> None:
    completion = once(responses_reply("x"))
    assert completion.served_model == "m"
    assert completion.usage == Usage(input_tokens=7, output_tokens=3, cached_tokens=2, reasoning_tokens=1)
    assert completion.latency_s is not None


def test_the_request_is_sent_in_the_protocol_s_words_and_nothing_is_to_be_stored() -> None:
    with chat_server(lambda _protocol, _body, _n: responses_reply("{}")) as server:
        ask(server)
        assert server.bodies[0] == {
            "model": "o3",
            "input": [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}],
            "max_output_tokens": 9,
            "reasoning": {"effort": "low"},
            "text": {"format": {"type": "json_schema", "name": "answer", "strict": True, "schema": SCHEMA}},
            "store": False,
        }


def test_chat_responses_and_batches_of_both_publish_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k-of-a-test")
    flags = ["--topics", "weapons", "--levels", "1,5", "--per-cell", "1", "--targets", "openai/o3", "--judges"]
    flags += ["lexical,openai/gpt-4o"]
    (tmp_path / "batch.toml").write_text("batch_poll_s = 0.01\n")
    with batch_server(lambda kind, body: well_behaved(kind, body, 1)) as server:
        address = ["--base-url", f"openai={server.url}/v1", "--config", str(tmp_path / "batch.toml")]
        assert main([*flags, *address, "--run", str(tmp_path / "batch"), "--transport", "batch"]) == 0
        assert {batch["endpoint"] for batch in server.batches.values()} == {"/v1/responses", "/v1/chat/completions"}
    with chat_server(lambda kind, body, n: well_behaved(kind, body, n)) as chat:
        assert main([*flags, "--base-url", f"openai={chat.url}/v1", "--run", str(tmp_path / "live")]) == 0
        assert {"input" in body for body in chat.bodies} == {True, False}
    assert digests(tmp_path / "batch" / "release") == digests(tmp_path / "live" / "release")


def test_the_flag_chooses_the_api_of_one_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k-of-a-test")
    flags = ["--topics", "weapons", "--levels", "1", "--per-cell", "1", "--targets", "openai/o3", "--judges", "lexical"]
    with chat_server(well_behaved) as chat:
        assert (
            main([*flags, "--base-url", f"openai={chat.url}/v1", "--api", "openai/o3=chat", "--run", str(tmp_path)])
            == 0
        )
        assert all("messages" in body for body in chat.bodies)
    with pytest.raises(SystemExit):
        main([*flags, "--api", "o3=chat"])
