"""The live transport in trouble: blips, give-ups, stops and errors, without a call or a word too many."""

import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.journal.store import Journal, JournalError
from builder.providers.protocol import CallError, FailureKind, Provider
from builder.providers.scripted import Script, ScriptedProvider
from builder.transports.interrupt import Interrupt
from builder.transports.live import LiveTransport
from builder.transports.purse import Purse
from builder.transports.retry import Breaker, RetryPolicy
from schemas.chat import ChatRequest, Completion, Usage
from schemas.config import Price
from schemas.vocabulary import Outcome
from tests.builder.test_live import Silent, asks, failing, fine

QUICK = RetryPolicy(base_s=0.02, cap_s=0.2)


class Ended(Silent):
    """A watcher that counts how often it was told that all is over."""

    def __init__(self) -> None:
        self.times = 0

    def end(self) -> None:
        """All is over."""
        self.times += 1


def live(
    journal: Journal, scripts: dict[str, Script], policy: RetryPolicy = QUICK, purse: Purse | None = None
) -> LiveTransport:
    """A transport of fifty calls at a time and model."""
    connect: Callable[[str], Provider] = {
        model: ScriptedProvider(script) for model, script in scripts.items()
    }.__getitem__
    return LiveTransport(
        journal,
        connect,
        Ended(),
        policy=policy,
        rng=random.Random(0),
        purse=purse or Purse(lambda _model: None),
    )


@pytest.mark.parametrize("kind", ["overloaded", "server", "connection", "timeout"])
def test_one_bad_moment_of_all_calls_in_flight_gives_nobody_up(tmp_path: Path, kind: FailureKind) -> None:
    calls: Counter[str] = Counter()

    def script(request: ChatRequest, key: str, attempt: int) -> Completion | CallError:
        calls["all"] += 1
        return CallError(kind, "no", status=503) if calls["all"] <= 50 else fine(request, key, attempt)

    with Journal(tmp_path / "j.sqlite") as journal:
        report = live(journal, {"scripted/m": script}).ask(asks(180))
    assert (report.answered, report.stopped) == (180, {})


def test_who_only_fails_is_given_up_when_a_request_could_have_used_up_its_tries() -> None:
    breaker = Breaker(RetryPolicy(attempts=3, base_s=1, cap_s=60), patience=12)
    error = CallError("server", "no", status=500)
    for _ in range(50):
        breaker.failed(error, 100.0)
    assert breaker.reason is None
    breaker.failed(error, 101.5)
    assert breaker.reason is not None
    assert "51 attempts in a row failed" in breaker.reason


def test_a_call_that_sleeps_wakes_when_its_model_is_given_up(tmp_path: Path) -> None:
    def script(_request: ChatRequest, _key: str, attempt: int) -> CallError:
        kind: FailureKind = "auth" if len(seen) >= 3 else "rate_limited"
        seen.append(attempt)
        return CallError(kind, "no", retry_after_s=60)

    seen: list[int] = []
    began = time.monotonic()
    with Journal(tmp_path / "j.sqlite") as journal:
        report = live(journal, {"scripted/m": script}).ask(asks(4))
    assert time.monotonic() - began < 10
    assert report.stopped == {"scripted/m": "auth: no"}
    assert sorted([*report.failed.values(), *report.not_asked.values()]) == ["auth: no"] * 4


def test_after_an_interrupt_a_failed_call_is_to_be_asked_again_and_nobody_calls_once_more(tmp_path: Path) -> None:
    interrupt, calls = Interrupt(), Counter[str]()

    def script(_request: ChatRequest, key: str, _attempt: int) -> CallError:
        calls[key] += 1
        if len(calls) == 50:
            interrupt.ask()
        return CallError("server", "no", status=500)

    with Journal(tmp_path / "j.sqlite") as journal:
        transport = live(journal, {"scripted/m": script}, RetryPolicy(base_s=0.2))
        transport.interrupt = interrupt
        report = transport.ask(asks(60))
    assert not report.failed
    assert set(report.not_asked.values()) == {"interrupted"}
    assert len(report.not_asked) == 60
    assert calls.total() == 50


@pytest.mark.parametrize("where", ["connect", "journal"])
def test_the_watcher_is_told_of_the_end_after_an_error(tmp_path: Path, where: str) -> None:
    with Journal(tmp_path / "j.sqlite") as journal:
        transport = live(journal, {"scripted/m": fine} if where == "journal" else {})
        if where == "journal":
            journal.database.execute("PRAGMA query_only=1")
        with pytest.raises(JournalError if where == "journal" else KeyError):
            transport.ask(asks(3))
    assert isinstance(transport.watcher, Ended)
    assert transport.watcher.times == 1


@pytest.mark.parametrize(("kind", "again"), [("auth", False), ("not_found", False), ("connection", True)])
def test_who_is_given_up_for_good_is_asked_no_more_in_the_next_stage(
    tmp_path: Path, kind: FailureKind, again: bool
) -> None:
    told: list[str] = []

    class Listener(Ended):
        """A watcher that listens."""

        def given_up(self, model: str, why: str) -> None:
            told.append(f"{model} {why.partition(':')[0]}")

    provider = ScriptedProvider(failing(kind))
    with Journal(tmp_path / "j.sqlite") as journal:
        policy = RetryPolicy(base_s=0.001, cap_s=0.001)
        transport = LiveTransport(journal, lambda _name: provider, Listener(), policy=policy)
        first = transport.ask(asks(70))
        calls = provider.calls.total()
        second = transport.ask(asks(140)[70:])
    assert list(first.stopped) == list(second.stopped) == ["scripted/m"]
    assert len(second.failed) + len(second.not_asked) == 70
    assert (provider.calls.total() > calls) == again
    assert len(told) == (2 if again else 1)


def test_an_empty_purse_does_not_stop_a_model_that_costs_nothing(tmp_path: Path) -> None:
    def dear(_request: ChatRequest, key: str, _attempt: int) -> Completion:
        return Completion(key, Outcome.TEXT, "x", usage=Usage(20, 5))

    prices = {"scripted/dear": Price(input=1_000_000, output=1_000_000)}
    with Journal(tmp_path / "j.sqlite") as journal:
        scripts: dict[str, Script] = {"scripted/dear": dear, "scripted/free": fine}
        transport = live(journal, scripts, purse=Purse(prices.get, limit=5000))
        report = transport.ask([*asks(90, "scripted/dear"), *asks(300, "scripted/free")])
    assert transport.purse.empty
    assert report.outcomes[Outcome.TEXT] == 300 + transport.purse.spent / 25
    assert set(report.not_asked.values()) == {transport.purse.why}


def test_a_model_that_pushes_back_for_ever_is_given_up(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.sqlite") as journal:
        report = live(journal, {"scripted/m": failing("overloaded")}, RetryPolicy(base_s=0.001, cap_s=0.01)).ask(
            asks(300)
        )
    assert "attempts in a row failed" in report.stopped["scripted/m"]
    assert report.answered == 0
