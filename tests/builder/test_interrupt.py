"""Ctrl-C while calls are in flight: once waits a little, twice does not; what arrived is on record either way."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.journal.store import Journal
from builder.providers.batches import has_batches
from builder.providers.openai_batches import OpenAIBatches
from builder.providers.scripted import ScriptedProvider
from builder.transports.batch import BatchTransport
from builder.transports.interrupt import Interrupt
from builder.transports.protocol import AskReport
from builder.transports.split import SplitTransport
from schemas.chat import ChatRequest, Completion
from tests.builder.test_live import Silent, asks, fine, transport
from tests.servers.batch_server import batch_server
from tests.servers.chat_server import Reply, chat_server
from tests.servers.models import well_behaved


class Slow(ScriptedProvider):
    """Answers odd requests after a moment and even ones never; does something when all are in flight."""

    def __init__(self, when_busy: Callable[[], None]) -> None:
        super().__init__(fine)
        self._when_busy = when_busy

    async def complete(self, request: ChatRequest, key: str) -> Completion:
        self.calls[key] += 1
        if self.calls.total() == 4:
            self._when_busy()
        await asyncio.sleep(0.05 if int(request.messages[0].content) % 2 else 3600)
        return fine(request, key, 1)


def stopped(tmp_path: Path, interrupt: Interrupt, when_busy: Callable[[], None]) -> tuple[AskReport, set[str]]:
    """The report of a run that was interrupted, and the keys of what is on record."""
    with Journal(tmp_path / "j.sqlite") as journal:
        report = transport(journal, lambda _name: Slow(when_busy), interrupt).ask(asks(20))
        return report, journal.completed_keys()


def test_one_interrupt_gives_calls_in_flight_a_while_and_cuts_off_the_rest(tmp_path: Path) -> None:
    interrupt = Interrupt(drain_s=0.5)
    report, recorded = stopped(tmp_path, interrupt, interrupt.ask)
    assert report.answered == len(recorded) == 2
    assert set(report.not_asked.values()) == {"interrupted"}
    assert (len(report.not_asked), report.failed) == (18, {})


def test_two_interrupts_cut_off_every_call_at_once(tmp_path: Path) -> None:
    interrupt = Interrupt(drain_s=3600)

    def twice() -> None:
        interrupt.ask()
        interrupt.ask()

    report, recorded = stopped(tmp_path, interrupt, twice)
    assert report.answered == len(recorded) <= 2
    assert report.answered + len(report.not_asked) == 20


def test_who_waits_for_a_place_or_for_a_retry_is_sent_away(tmp_path: Path) -> None:
    interrupt = Interrupt(drain_s=3600)

    def twice() -> None:
        interrupt.ask()
        interrupt.ask()

    report, _ = stopped(tmp_path, interrupt, lambda: threading.Timer(0.2, twice).start())
    assert set(report.not_asked.values()) == {"interrupted"}


def test_after_an_interrupt_of_the_live_half_no_batch_is_submitted(tmp_path: Path) -> None:
    interrupt = Interrupt(drain_s=0)
    with batch_server(lambda _kind, _body: None) as server, Journal(tmp_path / "j.sqlite") as journal:
        live = transport(journal, lambda _name: Slow(interrupt.ask), interrupt)
        service = OpenAIBatches("k", f"{server.url}/v1", 10)
        batch = BatchTransport(journal, lambda _name: service, Silent(), interrupt=interrupt)
        report = SplitTransport(batch, live, has_batches).ask([*asks(20), *asks(5, "openai/m")])
        assert server.batches == {}
    assert report.answered + len(report.not_asked) == 25
    assert set(report.not_asked.values()) == {"interrupted"}


@pytest.mark.parametrize(("signals", "drained"), [(1, True), (2, False)])
def test_the_command_stops_within_seconds_and_goes_on_where_it_stopped(
    tmp_path: Path, signals: int, *, drained: bool
) -> None:
    busy = threading.Event()
    slow = True

    def script(protocol: str, body: dict[str, object], call: int) -> Reply:
        reply = well_behaved(protocol, body, call)
        if not slow:
            return reply
        if len(server.bodies) >= 4:
            busy.set()
        return Reply(reply.body, delay_s=1.0 if drained else 30.0)

    with chat_server(script) as server:
        command = [
            *(sys.executable, "-m", "builder.cli", "--run", str(tmp_path), "--concurrency", "4"),
            *("--topics", "fraud", "--levels", "1,5", "--per-cell", "1", "--judges", "lexical"),
            *("--targets", "openai/m", "--base-url", f"openai={server.url}/v1"),
        ]
        environment = os.environ | {"OPENAI_API_KEY": "k-of-a-test"}
        run = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert busy.wait(60)
        began = time.monotonic()
        for _ in range(signals):
            run.send_signal(signal.SIGINT)
            time.sleep(0.2)
        said, errors = run.communicate(timeout=30)
        assert time.monotonic() - began < 8
        assert run.returncode == 130, errors
        assert "10 seconds to end and be recorded" in errors
        assert ("stopping now" in errors) is (signals == 2)
        with Journal(tmp_path / "journal.sqlite") as journal:
            assert len(journal.completed_keys()) == (4 if drained else 0)
        slow = False
        subprocess.run(command, env=environment, check=True, capture_output=True)
        assert sum(server.calls.values()) == 12 + (0 if drained else 4)
    assert "the same command goes on from there" in said or "goes on" in errors
