"""The live transport: asks once, records before counting, retries in one place, stops what is hopeless."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.journal.store import Journal
from builder.providers.protocol import CallError, FailureKind, Provider
from builder.providers.scripted import Script, ScriptedProvider
from builder.transports.interrupt import Interrupt
from builder.transports.live import LiveTransport
from builder.transports.protocol import Ask, AskReport
from builder.transports.retry import RetryPolicy
from schemas.chat import ChatRequest, Completion, Message
from schemas.key import key_of
from schemas.vocabulary import Outcome


class Silent:
    """A watcher that looks away."""

    def begin(self, stage: str, model: str, planned: int, already: int) -> None: ...
    def answered(self, stage: str, completion: Completion, model: str) -> None: ...
    def failed(self, stage: str, model: str, kind: str) -> None: ...
    def waiting(self, model: str, wait_s: float) -> None: ...
    def under_way(self, model: str, requests: int, batches: int) -> None: ...
    def given_up(self, model: str, why: str) -> None: ...
    def end(self) -> None: ...


def asks(count: int, model: str = "scripted/m") -> list[Ask]:
    requests = [ChatRequest(model, (Message("user", str(n)),)) for n in range(count)]
    return [Ask("respond", key_of(request), request) for request in requests]


def fine(_request: ChatRequest, key: str, _attempt: int) -> Completion:
    return Completion(key, Outcome.TEXT, "ok")


def transport(
    journal: Journal, connect: Callable[[str], Provider], interrupt: Interrupt | None = None
) -> LiveTransport:
    return LiveTransport(
        journal,
        connect,
        Silent(),
        concurrency=lambda _model: 4,
        policy=RetryPolicy(attempts=3, base_s=0.001, cap_s=0.002),
        rng=random.Random(0),
        interrupt=interrupt or Interrupt(),
    )


def run(tmp_path: Path, script: Script, wanted: list[Ask]) -> tuple[AskReport, ScriptedProvider]:
    provider = ScriptedProvider(script)
    with Journal(tmp_path / "j.sqlite") as journal:
        return transport(journal, lambda _name: provider).ask(wanted), provider


def failing(kind: FailureKind, times: int = 10**6) -> Script:
    def script(request: ChatRequest, key: str, attempt: int) -> Completion | CallError:
        return CallError(kind, "no") if attempt <= times else fine(request, key, attempt)

    return script


def test_every_request_is_asked_once_and_a_second_run_asks_nothing(tmp_path: Path) -> None:
    first, provider = run(tmp_path, fine, asks(30))
    assert (first.answered, first.already) == (30, 0)
    assert set(provider.calls.values()) == {1}
    second, provider = run(tmp_path, fine, asks(30))
    assert (second.answered, second.already, provider.calls.total()) == (0, 30, 0)


def test_a_request_that_stands_twice_in_the_plan_is_asked_once(tmp_path: Path) -> None:
    report, provider = run(tmp_path, fine, asks(3) + asks(3))
    assert (report.answered, provider.calls.total()) == (3, 3)


@pytest.mark.parametrize("kind", ["rate_limited", "overloaded", "server", "connection", "timeout", "malformed"])
def test_passing_failures_are_tried_again_and_every_attempt_is_kept(tmp_path: Path, kind: FailureKind) -> None:
    report, _ = run(tmp_path, failing(kind, times=2), asks(2))
    assert report.answered == 2
    with Journal(tmp_path / "j.sqlite") as journal:
        results = [type(attempt.result).__name__ for attempt in journal.attempts()]
    assert sorted(results) == ["Completion"] * 2 + ["FailedAttempt"] * 4


def test_a_failure_that_does_not_pass_is_reported_and_never_an_answer(tmp_path: Path) -> None:
    report, provider = run(tmp_path, failing("server"), asks(2))
    assert set(report.failed.values()) == {"server: no"}
    assert set(provider.calls.values()) == {3}
    with Journal(tmp_path / "j.sqlite") as journal:
        assert journal.completed_keys() == set()


def test_a_rejected_request_is_not_repeated(tmp_path: Path) -> None:
    report, provider = run(tmp_path, failing("rejected"), asks(2))
    assert len(report.failed) == 2
    assert set(provider.calls.values()) == {1}


def test_a_wrong_key_stops_that_model_alone(tmp_path: Path) -> None:
    providers = {"scripted/bad": ScriptedProvider(failing("auth")), "scripted/m": ScriptedProvider(fine)}
    with Journal(tmp_path / "j.sqlite") as journal:
        report = transport(journal, providers.__getitem__).ask(asks(20, "scripted/bad") + asks(20))
    assert report.answered == 20
    assert report.stopped == {"scripted/bad": "auth: no"}
    assert len(report.failed) + len(report.not_asked) == 20
    assert providers["scripted/bad"].calls.total() <= 4


def test_a_provider_that_only_fails_is_given_up_after_some_patience(tmp_path: Path) -> None:
    report, provider = run(tmp_path, failing("server"), asks(500))
    assert "attempts in a row failed" in report.stopped["scripted/m"]
    assert provider.calls.total() < 30
    assert len(report.failed) + len(report.not_asked) == 500


def test_after_an_interrupt_what_is_in_flight_is_recorded_and_the_rest_is_not_asked(tmp_path: Path) -> None:
    interrupt = Interrupt()

    def script(request: ChatRequest, key: str, attempt: int) -> Completion:
        interrupt.ask()
        return fine(request, key, attempt)

    with Journal(tmp_path / "j.sqlite") as journal:
        report = transport(journal, lambda _name: ScriptedProvider(script), interrupt).ask(asks(50))
        assert len(journal.completed_keys()) == report.answered
    assert 1 <= report.answered <= 4
    assert set(report.not_asked.values()) == {"interrupted"}


def test_a_bug_in_a_provider_is_not_swallowed(tmp_path: Path) -> None:
    def script(_request: ChatRequest, _key: str, _attempt: int) -> Completion:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(tmp_path, script, asks(1))


def test_no_more_than_the_limit_are_in_flight(tmp_path: Path) -> None:
    class Counting(ScriptedProvider):
        inside = most = 0

        async def complete(self, request: ChatRequest, key: str) -> Completion:
            Counting.inside += 1
            Counting.most = max(Counting.most, Counting.inside)
            await asyncio.sleep(0.001)
            Counting.inside -= 1
            return fine(request, key, 1)

    with Journal(tmp_path / "j.sqlite") as journal:
        transport(journal, lambda _name: Counting(fine)).ask(asks(40))
    assert Counting.most == 4


def test_the_server_is_closed_whatever_happens(tmp_path: Path) -> None:
    closed: list[bool] = []

    class Closing(ScriptedProvider):
        async def close(self) -> None:
            closed.append(True)

    with Journal(tmp_path / "j.sqlite") as journal:
        transport(journal, lambda _name: Closing(failing("auth"))).ask(asks(1))
    assert closed == [True]
