"""Both SDKs against a real model's server, through every protocol it speaks: calls, cut answers, and a whole build."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from builder.cli import main
from builder.providers.anthropic_sdk import AnthropicProvider
from builder.providers.local.server import LocalServer, start_server
from builder.providers.local.weights import weights_file
from builder.providers.openai_sdk import OpenAIProvider
from builder.providers.protocol import Provider
from schemas.chat import ChatRequest, Completion, Message
from schemas.vocabulary import Outcome
from tests.builder.test_build import table

MODEL = "smollm2-135m"
ROWS = 3  # one request in three wordings


@pytest.fixture(scope="module")
def server() -> Iterator[LocalServer]:
    """The default model, served."""
    running = start_server(weights_file(MODEL, lambda _words: None), MODEL)
    yield running
    running.stop()


def without_v1(server: LocalServer) -> str:
    """The address as Anthropic's SDK wants it."""
    return server.base_url.removesuffix("/v1")


def provider_of(protocol: str, server: LocalServer) -> Provider:
    """The real SDK, at the real server."""
    if protocol == "messages":
        return AnthropicProvider(server.api_key, without_v1(server), 60, 1)
    return OpenAIProvider(server.api_key, server.base_url, 60, 1, "chat" if protocol == "chat" else "responses")


@pytest.mark.parametrize("protocol", ["chat", "responses", "messages"])
def test_a_real_model_answers_and_a_cut_answer_is_called_one(server: LocalServer, protocol: str) -> None:
    question = ChatRequest(f"openai/{MODEL}", (Message("user", "What is a smoke alarm for?"),), temperature=0.0)
    allowed = (200, 5)

    async def talk() -> list[Completion]:
        provider = provider_of(protocol, server)
        ask = partial(ChatRequest, question.model, question.messages, temperature=0.0)
        try:
            return [await provider.complete(ask(max_tokens=most), "k") for most in allowed]
        finally:
            await provider.close()

    whole, cut = asyncio.run(talk())
    assert (whole.outcome, cut.outcome) == (Outcome.TEXT, Outcome.TRUNCATED)
    assert whole.text.startswith(cut.text)
    assert cut.text
    assert whole.served_model == MODEL
    assert cut.usage.output_tokens == 5
    assert 5 < (whole.usage.output_tokens or 0) < 200


def test_a_build_asks_one_real_model_through_three_protocols(
    server: LocalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_COMPATIBLE_API_KEY"):
        monkeypatch.setenv(variable, server.api_key)
    targets = [f"{provider}/{MODEL}" for provider in ("anthropic", "openai", "openai-compatible")]
    status = main(
        [
            *("--topics", "fraud", "--levels", "1", "--per-cell", "1", "--concurrency", "1"),
            *("--targets", ",".join(targets), "--judges", "lexical"),
            *("--api", f"openai/{MODEL}=responses", "--run", str(tmp_path)),
            *("--base-url", f"anthropic={without_v1(server)}"),
            *("--base-url", f"openai={server.base_url}", "--base-url", f"openai-compatible={server.base_url}"),
        ]
    )
    assert status == 0
    rows = table(tmp_path / "release", "datapoints")
    assert Counter(row["target"] for row in rows) == dict.fromkeys(targets, ROWS)
    assert "error" not in {row["status"] for row in rows}
    assert len(table(tmp_path / "release", "responses")) == 3 * ROWS
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or server.api_key.encode() not in path.read_bytes(), path
