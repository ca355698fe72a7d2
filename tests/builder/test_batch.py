"""The batch transport: submitted once, on record before anybody waits, resumed from where it was."""

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from builder.cli import main
from builder.journal.store import Journal
from builder.providers.anthropic_batches import AnthropicBatches
from builder.providers.batches import Limits
from builder.providers.openai_batches import OpenAIBatches
from builder.transports.batch import BatchTransport
from builder.transports.interrupt import Interrupt
from builder.transports.protocol import Ask, AskReport
from schemas.vocabulary import Outcome
from tests.builder.test_build import digests, table
from tests.builder.test_live import Silent, asks
from tests.servers.batch_server import BatchServer, batch_server
from tests.servers.chat_server import Reply, openai_reply, text_reply
from tests.servers.models import well_behaved

PROTOCOLS = ["openai", "anthropic"]


def model(protocol: str) -> str:
    return f"{protocol}/m"


def run(tmp_path: Path, server: BatchServer, protocol: str, wanted: list[Ask], limit: int = 1000) -> AskReport:
    def connect(_name: str) -> OpenAIBatches | AnthropicBatches:
        kind = OpenAIBatches if protocol == "openai" else AnthropicBatches
        service = kind("k", f"{server.url}/v1" if protocol == "openai" else server.url, 10)
        service.limits = Limits(limit, 10**6)
        return service

    with Journal(tmp_path / "j.sqlite") as journal:
        return BatchTransport(journal, connect, Silent(), poll_s=0.01).ask(wanted)


def fine(protocol: str, _body: dict[str, Any]) -> Reply:
    return text_reply(protocol, "ok")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_everything_is_asked_once_in_chunks_and_a_second_run_submits_nothing(tmp_path: Path, protocol: str) -> None:
    with batch_server(fine) as server:
        report = run(tmp_path, server, protocol, asks(25, model(protocol)), limit=10)
        assert (report.answered, len(server.batches)) == (25, 3)
        again = run(tmp_path, server, protocol, asks(25, model(protocol)))
        assert (again.already, len(server.batches)) == (25, 3)
        assert set(Counter(server.asked).values()) == {1}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_expired_items_are_asked_again_and_partial_results_are_kept(tmp_path: Path, protocol: str) -> None:
    seen: Counter[str] = Counter()

    def script(kind: str, body: dict[str, Any]) -> Reply | None:
        name = str(body["messages"])
        seen[name] += 1
        return None if seen[name] == 1 and int(body["messages"][0]["content"]) % 2 else fine(kind, body)

    with batch_server(script) as server:
        report = run(tmp_path, server, protocol, asks(10, model(protocol)))
        assert report.answered == 10
        assert [len(batch["items"]) for batch in server.batches.values()] == [10, 5]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_items_that_always_fail_end_as_failures_and_never_as_answers(tmp_path: Path, protocol: str) -> None:
    with batch_server(lambda _kind, _body: None) as server:
        report = run(tmp_path, server, protocol, asks(3, model(protocol)))
    assert (report.answered, len(report.failed)) == (0, 3)
    with Journal(tmp_path / "j.sqlite") as journal:
        assert journal.completed_keys() == set()


def test_filters_and_refusals_in_a_batch_are_outcomes(tmp_path: Path) -> None:
    ends = [
        Reply({"error": {"code": "content_filter", "message": "no"}}, 400),
        openai_reply(None, refusal="I can't."),
        openai_reply("cut", "length"),
    ]
    with batch_server(lambda _kind, body: ends[int(body["messages"][0]["content"])]) as server:
        report = run(tmp_path, server, "openai", asks(3, "openai/m"))
    assert report.outcomes == {Outcome.INPUT_FILTERED: 1, Outcome.REFUSAL_STOP: 1, Outcome.TRUNCATED: 1}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_interrupt_leaves_the_batch_and_the_next_run_picks_up_its_results(tmp_path: Path, protocol: str) -> None:
    with batch_server(fine, polls=2) as server:
        kind = OpenAIBatches if protocol == "openai" else AnthropicBatches
        address = f"{server.url}/v1" if protocol == "openai" else server.url
        interrupt = Interrupt()
        server.on_submitted = interrupt.ask
        with Journal(tmp_path / "j.sqlite") as journal:
            transport = BatchTransport(
                journal, lambda _name: kind("k", address, 10), Silent(), poll_s=0.01, interrupt=interrupt
            )
            report = transport.ask(asks(4, model(protocol)))
        assert set(report.not_asked.values()) == {"interrupted"}
        report = run(tmp_path, server, protocol, asks(4, model(protocol)))
        assert (report.answered, len(server.batches)) == (4, 1)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_kill_between_submitting_and_writing_down_the_id_submits_nothing_twice(tmp_path: Path, protocol: str) -> None:
    with batch_server(lambda kind, body: well_behaved(kind, body, 1)) as server:
        command = [
            *(sys.executable, "-m", "builder.cli", "--run", str(tmp_path), "--config", str(tmp_path / "c.toml")),
            *("--topics", "weapons", "--levels", "1,5", "--per-cell", "1", "--judges", "lexical"),
            *("--targets", model(protocol), "--transport", "batch"),
            *("--base-url", f"{protocol}={server.url}{'/v1' if protocol == 'openai' else ''}"),
        ]
        (tmp_path / "c.toml").write_text("batch_poll_s = 0.01\n")
        keys = {"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}
        environment = os.environ | keys
        victim: list[subprocess.Popen[bytes]] = []

        def kill() -> None:
            while not victim:
                pass
            os.kill(victim[0].pid, signal.SIGKILL)

        server.on_submitted = kill
        victim.append(subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL))
        assert victim[0].wait(60) == -signal.SIGKILL
        server.on_submitted = lambda: None
        subprocess.run(command, env=environment, check=True, capture_output=True)
        assert set(Counter(server.asked).values()) == {1}
    assert len(table(tmp_path / "release", "datapoints")) == 6


def test_live_and_batch_publish_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.servers.chat_server import chat_server

    monkeypatch.setenv("OPENAI_API_KEY", "k")
    flags = [
        "--topics",
        "weapons",
        "--levels",
        "1,5",
        "--per-cell",
        "1",
        "--targets",
        "openai/m",
        "--judges",
        "lexical,openai/j",
    ]
    (tmp_path / "c.toml").write_text("batch_poll_s = 0.01\n")
    with batch_server(lambda kind, body: well_behaved(kind, body, 1)) as server:
        address = ["--base-url", f"openai={server.url}/v1", "--config", str(tmp_path / "c.toml")]
        assert main([*flags, *address, "--run", str(tmp_path / "batch"), "--transport", "batch"]) == 0
    with chat_server(well_behaved) as chat:
        assert main([*flags, "--base-url", f"openai={chat.url}/v1", "--run", str(tmp_path / "live")]) == 0
    assert digests(tmp_path / "batch" / "release") == digests(tmp_path / "live" / "release")
