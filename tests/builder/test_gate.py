"""Flow control against servers with limits, in virtual time: as fast as they allow, with hardly a call wasted."""

import asyncio
import random
import time
from collections import deque
from pathlib import Path
from typing import Any

import pytest

from builder.journal.store import Journal
from builder.providers.allowance import Allowance, Window
from builder.providers.openai_sdk import OpenAIProvider
from builder.providers.protocol import CallError
from builder.providers.scripted import ScriptedProvider
from builder.transports.gate import Gate
from builder.transports.lane import Lane
from builder.transports.live import LiveTransport
from builder.transports.retry import RetryPolicy
from schemas.chat import ChatRequest, Completion
from schemas.vocabulary import Outcome
from tests.builder.test_live import Silent, asks
from tests.servers.chat_server import Reply, chat_server, openai_reply
from tests.servers.metered import Bucket, Crowded, FixedWindow, Metered, Moody
from tests.servers.virtual_time import in_virtual_time


async def drive(server: Metered, calls: int, ceiling: int) -> tuple[Lane, float]:
    """Ask so many things of the server as the live transport does; the lane, and the seconds it took."""
    lane = Lane("openai/m", server, deque(asks(calls)), Gate(ceiling), ceiling)
    policy, rng = RetryPolicy(), random.Random(0)

    async def work() -> None:
        while lane.queue:
            ask = lane.queue.popleft()
            result: Completion | CallError | None = None
            attempt = 0
            while not isinstance(result, Completion):
                ticket = await lane.gate.enter()
                assert ticket is not None
                result = await lane.call(ask, ticket)
                await lane.gate.leave()
                attempt += 1
                if isinstance(result, CallError):
                    wait_s = policy.wait_s(attempt, result, rng)
                    assert wait_s is not None, "a request was given up"
                    await asyncio.sleep(wait_s)

    async with asyncio.TaskGroup() as tasks:
        for _ in range(ceiling):
            tasks.create_task(work())
    return lane, asyncio.get_running_loop().time()


@pytest.mark.parametrize(("most", "window_s", "over"), [(100, 60.0, 1.1), (500, 60.0, 1.1), (60, 10.0, 1.35)])
def test_a_window_that_is_told_is_used_up_and_hardly_overrun(most: int, window_s: float, over: float) -> None:
    server = FixedWindow(most=most, window_s=window_s)
    _, took_s = in_virtual_time(drive(server, 3000, 50))
    assert server.refused <= 0.02 * 3000
    assert took_s <= over * (3000 / most) * window_s


def test_a_bucket_of_tokens_that_is_told_is_kept_flowing_and_hardly_overrun() -> None:
    server = Bucket()
    _, took_s = in_virtual_time(drive(server, 3000, 50))
    assert server.refused <= 0.02 * 3000
    assert took_s <= 1.1 * 60 * (3000 - 100) / 100


def test_a_limit_far_off_slows_nothing() -> None:
    server = FixedWindow(most=100_000)
    _, took_s = in_virtual_time(drive(server, 3000, 50))
    _, freely_s = in_virtual_time(drive(Metered(), 3000, 50))
    assert took_s <= 1.01 * freely_s


def test_an_unspoken_limit_on_calls_at_a_time_is_found_and_kept_to() -> None:
    server = Crowded(most=10)
    _, took_s = in_virtual_time(drive(server, 3000, 20))
    assert server.refused <= 0.02 * 3000
    assert took_s <= 1.25 * 3000 / 10


@pytest.mark.parametrize(
    "server", [FixedWindow(most=500, tells=False, names_a_time=False), Bucket(tells=False), FixedWindow(tells=False)]
)
def test_a_limit_that_nobody_tells_costs_no_answer(server: Metered) -> None:
    in_virtual_time(drive(server, 3000, 50))
    assert server.calls - server.refused == 3000


@pytest.mark.parametrize("one_in", [50, 20, 10])
def test_random_pushback_is_no_reason_to_slow_down(one_in: int) -> None:
    lane, _ = in_virtual_time(drive(Moody(one_in=one_in), 3000, 50))
    assert lane.gate.limit >= 40


def test_a_throttled_target_does_not_hold_up_another() -> None:
    async def both() -> tuple[float, float]:
        slow = asyncio.create_task(drive(FixedWindow(most=100), 600, 50))
        _, quick_s = await drive(Metered(), 600, 50)
        _, slow_s = await slow
        return quick_s, slow_s

    quick_s, slow_s = in_virtual_time(both())
    _, alone_s = in_virtual_time(drive(Metered(), 600, 50))
    assert quick_s == pytest.approx(alone_s, rel=0.05)
    assert slow_s > 4 * 60


def test_a_limit_recovers_when_the_trouble_is_over() -> None:
    async def recovery() -> tuple[int, int]:
        gate = Gate(40)
        tickets = [await gate.enter() for _ in range(40)]
        for ticket in tickets:
            gate.refused(ticket or 0, None)
            await gate.leave()
        lowered = gate.limit
        for _ in range(40 * 200):
            gate.served(None)
        return lowered, gate.limit

    assert in_virtual_time(recovery()) == (20, 40)


def test_what_is_heard_of_an_earlier_call_does_not_undo_what_is_known_of_a_later_one() -> None:
    async def waited() -> float:
        gate = Gate(10)
        first, second = await gate.enter(), await gate.enter()
        gate.hear(second or 0, Allowance(Window(0, 30.0)), 5)
        gate.hear(first or 0, Allowance(Window(9, 30.0)), 5)
        await gate.enter()
        return asyncio.get_running_loop().time()

    assert in_virtual_time(waited()) == pytest.approx(30.0, abs=0.3)


def test_who_waits_at_a_gate_that_is_shut_is_sent_away() -> None:
    async def sent_away() -> int | None:
        gate = Gate(1)
        await gate.enter()
        waiting = asyncio.create_task(gate.enter())
        await asyncio.sleep(1)
        await gate.shut()
        return await waiting

    assert in_virtual_time(sent_away()) is None


def test_headers_that_come_through_the_sdk_slow_the_live_transport(tmp_path: Path) -> None:
    began, used, refused = time.monotonic(), 0, 0

    def script(_protocol: str, _body: dict[str, Any], _call: int) -> Reply:
        nonlocal began, used, refused
        if (left_s := began + 1.0 - time.monotonic()) <= 0:
            began, used, left_s = time.monotonic(), 0, 1.0
        used += 1
        headers = {
            "x-ratelimit-remaining-requests": str(max(0, 40 - used)),
            "x-ratelimit-reset-requests": f"{left_s * 1000:.0f}ms",
        }
        if used > 40:
            refused += 1
            return Reply({"error": {"message": "slow down"}}, 429, headers)
        return Reply(openai_reply("ok").body, headers=headers, delay_s=0.02)

    with chat_server(script) as server, Journal(tmp_path / "j.sqlite") as journal:
        provider = OpenAIProvider("k", f"{server.url}/v1", 10, 20)
        report = LiveTransport(journal, lambda _name: provider, Silent(), lambda _model: 20).ask(asks(120))
    assert report.answered == 120
    assert refused <= 12


def test_the_watcher_is_told_of_a_pause_and_of_its_end(tmp_path: Path) -> None:
    told: list[tuple[str, float]] = []

    class Listener(Silent):
        """A watcher that listens."""

        def waiting(self, model: str, wait_s: float) -> None:
            told.append((model, wait_s))

    provider = ScriptedProvider(lambda _request, key, _attempt: Completion(key, Outcome.TEXT, "ok"))
    provider.allowance = Allowance(Window(0, 0.2))
    with Journal(tmp_path / "j.sqlite") as journal:
        LiveTransport(journal, lambda _name: provider, Listener(), lambda _model: 1).ask(asks(2))
    assert [wait_s for _, wait_s in told] == pytest.approx([0.2, 0.0], abs=0.02)
    told.clear()
    provider.allowance = None
    with Journal(tmp_path / "free.sqlite") as journal:
        LiveTransport(journal, lambda _name: provider, Listener(), lambda _model: 1).ask(asks(1))
    assert told == [("scripted/m", 0.0)]


def test_the_next_stage_knows_what_the_server_told_in_the_stage_before(tmp_path: Path) -> None:
    began: list[float] = []

    def answer(_request: ChatRequest, key: str, _attempt: int) -> Completion:
        began.append(time.monotonic())
        return Completion(key, Outcome.TEXT, "ok")

    provider = ScriptedProvider(answer)
    provider.allowance = Allowance(Window(0, 0.5))
    with Journal(tmp_path / "j.sqlite") as journal:
        live = LiveTransport(journal, lambda _name: provider, Silent(), lambda _model: 2)
        live.ask(asks(1))
        provider.allowance = None
        assert live.ask(asks(3)).answered == 2
    assert 0.45 <= began[1] - began[0] <= 2


def test_a_model_that_is_given_up_is_not_waited_for(tmp_path: Path) -> None:
    told: list[float] = []

    class Listener(Silent):
        """A watcher that listens."""

        def waiting(self, model: str, wait_s: float) -> None:  # noqa: ARG002 - what a watcher is told
            told.append(wait_s)

    def refuse(_request: ChatRequest, _key: str, _attempt: int) -> Completion:
        raise CallError("rate_limited", "come back tomorrow", status=429, retry_after_s=2000)

    with Journal(tmp_path / "j.sqlite") as journal:
        report = LiveTransport(journal, lambda _name: ScriptedProvider(refuse), Listener(), lambda _model: 10).ask(
            asks(40)
        )
    assert "asks to wait 33 minutes" in report.stopped["scripted/m"]
    assert set(told) == {0.0}
