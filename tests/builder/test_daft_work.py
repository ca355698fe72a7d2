"""The daft transport without daft: its workers as threads, which get their batches as Daft would give them."""

import asyncio
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from builder.journal.store import Journal
from builder.providers.protocol import CallError
from builder.providers.scripted import Script, ScriptedProvider
from builder.transports.daft.crew import Crew, FrameError
from builder.transports.daft.line import Post, dial
from builder.transports.daft.rows import entry_of
from builder.transports.daft.store import AttemptStore
from builder.transports.daft.transport import DaftTransport
from builder.transports.daft.worker import work
from builder.transports.interrupt import Interrupt
from builder.transports.protocol import Ask, AskReport
from builder.transports.purse import Purse
from builder.transports.retry import RetryPolicy
from schemas.chat import Completion
from schemas.config import BuildConfig, Price
from schemas.vocabulary import Outcome
from tests.builder.test_live import Silent, asks
from tests.servers.chat_server import Reply, chat_server, text_reply
from tests.servers.chat_server import Script as ServerScript

MODEL = "openai-compatible/m"
GONE = 2**30
Visit = Callable[[dict[str, Ask], Post], None]


@dataclass(frozen=True)
class Threads:
    """One thread a batch, all at once; the first batches may be visited otherwise."""

    crew: Crew
    visits: list[Visit]
    size: int = 10

    def host(self) -> str:
        """This machine."""
        return "127.0.0.1"

    def carry_out(self, wanted: Sequence[Ask], post: Post) -> None:
        """Give each batch to a thread and wait for them. Raises FrameError if a visit ended badly."""
        batches = [wanted[start : start + self.size] for start in range(0, len(wanted), self.size)]
        troubles: list[str] = []

        def visit(batch: Sequence[Ask]) -> None:
            rows = {ask.key: ask for ask in batch}
            if self.visits:
                self.visits.pop()(rows, post)
                troubles.append("a worker ended")
                return
            asyncio.run(work(rows, post, self.crew.store, self.crew.sign, self.crew.config))

        threads = [threading.Thread(target=visit, args=(batch,)) for batch in batches]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if troubles:
            raise FrameError(troubles[0])


@dataclass
class Setting:
    """A transport on its own journal and store, and its knobs."""

    tmp_path: Path
    visits: tuple[Visit, ...] = ()
    purse: Purse | None = None
    interrupt: Interrupt | None = None
    price: float = 0.0
    local: Script | None = None
    store: str | None = None
    call_timeout_s: float = 120
    recording_s: float = 300

    def run(self, server_script: ServerScript, wanted: list[Ask]) -> AskReport:
        """What became of the asks."""
        with chat_server(server_script) as server, Journal(self.tmp_path / "j.sqlite") as journal:
            self.server = server
            url = {"openai-compatible": f"{server.url}/v1"}
            config = BuildConfig(base_url=url, call_timeout_s=self.call_timeout_s)
            crew = Crew(2, None, self.store or str(self.tmp_path / "store"), ".run-1", config)
            self.transport = DaftTransport(
                journal,
                lambda _name: ScriptedProvider(self.local or _nobody),
                Silent(),
                concurrency=lambda _model: 4,
                policy=RetryPolicy(attempts=3, base_s=0.001, cap_s=0.002),
                interrupt=self.interrupt or Interrupt(),
                purse=self.purse or Purse(lambda _model: None),
                crew=crew,
                recording_s=self.recording_s,
                hands=lambda crew: Threads(crew, list(self.visits)),
            )
            report = self.transport.ask(wanted)
            self.recorded = {a.key: a.result for a in journal.attempts()}
        return report

    def stored(self) -> dict[str, object]:
        """The attempts in the store, by key."""
        store = AttemptStore(self.store or str(self.tmp_path / "store"))
        names = [name for stage in store.stages() for name in store.names(stage)]
        entries = [entry_of(row) for name in names for row in store.read(name).to_pylist()]
        return {entry.result.key: entry.result for entry in entries}


def _nobody(_request: object, key: str, _attempt: int) -> Completion:
    raise LookupError(key)


def fine(protocol: str, _body: object, _call: int) -> Reply:
    return text_reply(protocol, "ok")


def test_every_request_is_asked_once_and_lies_in_journal_and_store_alike(tmp_path: Path) -> None:
    setting = Setting(tmp_path)
    report = setting.run(fine, asks(35, MODEL))
    assert (report.answered, report.failed, report.not_asked) == (35, {}, {})
    assert set(setting.server.calls.values()) == {1}
    assert setting.stored() == setting.recorded
    again = setting.run(fine, asks(35, MODEL))
    assert (again.already, again.answered) == (35, 0)


def test_all_workers_together_keep_to_the_limit_of_a_model(tmp_path: Path) -> None:
    setting = Setting(tmp_path)
    setting.run(lambda protocol, _body, _call: replace(text_reply(protocol, "ok"), delay_s=0.05), asks(40, MODEL))
    assert 1 < setting.server.most_in_flight <= 4


def test_passing_failures_are_tried_again_and_every_attempt_is_kept(tmp_path: Path) -> None:
    setting = Setting(tmp_path)
    report = setting.run(
        lambda protocol, _body, call: Reply({"error": {"message": "busy"}}, 429) if call < 3 else fine(protocol, {}, 1),
        asks(6, MODEL),
    )
    assert report.answered == 6
    with Journal(tmp_path / "j.sqlite") as journal:
        kinds = [type(a.result).__name__ for a in journal.attempts()]
    assert (kinds.count("FailedAttempt"), kinds.count("Completion")) == (12, 6)


def test_a_hopeless_model_is_given_up_and_the_others_go_on(tmp_path: Path) -> None:
    wrong = Reply({"error": {"message": "wrong key"}}, 401)
    setting = Setting(tmp_path)
    report = setting.run(
        lambda protocol, body, _call: wrong if body["model"] == "bad" else fine(protocol, {}, 1),
        asks(40, "openai-compatible/bad") + asks(20, MODEL),
    )
    assert report.answered == 20
    assert report.stopped == {"openai-compatible/bad": "auth: wrong key"}
    assert len(report.failed) + len(report.not_asked) == 40
    assert setting.server.calls.total() <= 20 + 4


def test_a_budget_is_one_for_all_workers(tmp_path: Path) -> None:
    purse = Purse(lambda _model: Price(input=1_000_000, output=1_000_000), limit=5_000)
    report = Setting(tmp_path, purse=purse).run(fine, asks(200, MODEL))
    assert 0 < purse.spent <= 5_000
    assert report.answered == purse.spent / 10
    assert set(report.not_asked.values()) == {purse.why}
    assert report.answered + len(report.not_asked) == 200


def test_after_an_interrupt_what_is_in_flight_is_recorded_and_the_rest_is_not_asked(tmp_path: Path) -> None:
    interrupt = Interrupt()

    def script(protocol: str, _body: object, _call: int) -> Reply:
        if not interrupt.asked:
            interrupt.ask()
        return replace(text_reply(protocol, "ok"), delay_s=0.3)

    setting = Setting(tmp_path, interrupt=interrupt)
    report = setting.run(script, asks(50, MODEL))
    assert 1 <= report.answered == len(setting.recorded) == len(setting.stored()) <= 4
    assert set(report.not_asked.values()) == {"interrupted"}


def hang_up_after_three(rows: dict[str, Ask], post: Post) -> None:
    """A worker that dies with three calls in flight."""

    async def visit() -> None:
        line = await dial(post)
        hello = {
            "token": post.token,
            "version": "0.1.0",
            "keys": list(rows),
            "host": "h",
            "pid": GONE,
            "sees_store": True,
        }
        await line.send(hello)
        for _ in range(3):
            order = await line.receive()
            if order is None or order["do"] == "over":
                break
        await line.close()

    asyncio.run(visit())


def test_what_a_dead_worker_had_is_given_to_others(tmp_path: Path) -> None:
    setting = Setting(tmp_path, visits=(hang_up_after_three,) * 2)
    report = setting.run(fine, asks(40, MODEL))
    assert (report.answered, report.failed, report.not_asked) == (40, {}, {})
    assert set(setting.server.calls.values()) == {1}


def test_workers_that_only_die_end_in_a_report(tmp_path: Path) -> None:
    setting = Setting(tmp_path, visits=(hang_up_after_three,) * 50)
    report = setting.run(fine, asks(40, MODEL))
    assert len(report.failed) == 40
    assert set(report.failed.values()) == {"worker: it ended before the answer was there"}


def test_what_a_worker_had_that_hangs_is_given_to_others_and_its_process_is_killed(tmp_path: Path) -> None:
    hung = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])

    def hang(rows: dict[str, Ask], post: Post) -> None:
        async def visit() -> None:
            line = await dial(post)
            hello = {"token": post.token, "version": "0.1.0", "keys": list(rows), "host": "h", "sees_store": True}
            await line.send(hello | {"pid": hung.pid})
            while await line.receive() is not None:
                pass
            await line.close()
            hung.wait(60)

        asyncio.run(visit())

    setting = Setting(tmp_path, visits=(hang,), call_timeout_s=5, recording_s=0.1)
    report = setting.run(fine, asks(40, MODEL))
    assert (report.answered, report.failed, report.not_asked) == (40, {}, {})
    assert hung.wait(1) == -signal.SIGKILL


@pytest.mark.parametrize(
    ("wrong", "words"), [({"version": "0.0.0"}, "has version 0.0.0"), ({"sees_store": False}, "does not see this run")]
)
def test_a_worker_that_does_not_fit_stops_the_run(tmp_path: Path, wrong: dict[str, object], words: str) -> None:
    def visit(rows: dict[str, Ask], post: Post) -> None:
        async def hello() -> None:
            line = await dial(post)
            right = {
                "token": post.token,
                "version": "0.1.0",
                "keys": list(rows),
                "host": "h",
                "pid": GONE,
                "sees_store": True,
            }
            await line.send(right | wrong)
            assert await line.receive() is None
            await line.close()

        asyncio.run(hello())

    with pytest.raises(FrameError, match=words):
        Setting(tmp_path, visits=(visit,)).run(fine, asks(5, MODEL))


def test_who_does_not_know_the_token_is_told_nothing(tmp_path: Path) -> None:
    told: list[object] = []

    def visit(rows: dict[str, Ask], post: Post) -> None:
        async def knock() -> None:
            line = await dial(post)
            await line.send({"token": "gueß", "keys": list(rows)})
            told.append(await line.receive())
            await line.close()

        asyncio.run(knock())

    with pytest.raises(FrameError, match="a worker ended"):
        Setting(tmp_path, visits=(visit,)).run(fine, asks(5, MODEL))
    assert told == [None]


def test_a_store_that_cannot_be_written_stops_the_run_in_words(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.mkdir()
    (store / "respond").touch()
    with pytest.raises(FrameError, match="cannot write respond/"):
        Setting(tmp_path).run(fine, asks(5, MODEL))


def test_a_model_of_this_machine_is_asked_here_and_recorded_by_the_workers(tmp_path: Path) -> None:
    def script(_request: object, key: str, attempt: int) -> Completion | CallError:
        return CallError("overloaded", "full") if attempt == 1 else Completion(key, Outcome.TEXT, "ok")

    setting = Setting(tmp_path, local=script)
    report = setting.run(fine, asks(12, "local/m"))
    assert report.answered == 12
    assert setting.stored() == setting.recorded
    assert setting.server.calls.total() == 0
