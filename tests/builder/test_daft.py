"""`--transport daft` from end to end: workers on this machine and on a Ray cluster, their deaths, and the budget."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from builder.journal.store import Journal
from builder.transports.daft.store import AttemptStore, readable
from schemas.chat import Completion
from tests.builder.test_build import digests
from tests.servers.chat_server import ChatServer, Reply, chat_server
from tests.servers.models import stage_of, well_behaved

pytest.importorskip("daft", reason="the extra scale is not installed")

IN_FLIGHT = 3
SECRET = "sk-ant-planted-secret"
MODELS = ["--targets", "openai-compatible/t,anthropic/u", "--judges", "lexical,openai-compatible/j"]


def command(run: Path, server: ChatServer, *flags: str) -> list[str]:
    """A small build against the server through both SDKs, as a process of its own."""
    urls = ["--base-url", f"openai-compatible={server.url}/v1", "--base-url", f"anthropic={server.url}"]
    cells = ["--topics", "weapons", "--levels", "1,5", "--per-cell", "1", "--concurrency", str(IN_FLIGHT)]
    return [sys.executable, "-m", "builder.cli", "--run", str(run), *cells, *MODELS, *urls, *flags]


def built(run: Path, server: ChatServer, *flags: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(run, server, *flags), capture_output=True, text=True, check=False, timeout=400)


@pytest.fixture(scope="module", autouse=True)
def _key() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANTHROPIC_API_KEY", SECRET)
        yield


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory, _key: None) -> dict[str, str]:
    """The digests of the live transport's release."""
    run = tmp_path_factory.mktemp("live")
    with chat_server(well_behaved) as server:
        assert built(run, server).returncode == 0
    return digests(run / "release")


@pytest.fixture
def cluster() -> Iterator[str]:
    """A Ray cluster of one machine with room for two workers."""
    pytest.importorskip("ray", reason="the extra scale is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    start = [str(Path(sys.executable).with_name("ray")), "start", "--head", "--block", "--port", str(port)]
    small = [
        "--num-cpus",
        "2",
        "--object-store-memory",
        "80000000",
        "--include-dashboard=false",
        "--disable-usage-stats",
    ]
    # Ray's sockets need a shorter path than tmp_path has.
    with tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as scratch:
        process = subprocess.Popen(
            [*start, *small, "--temp-dir", scratch], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert process.stdout is not None
        assert any("Ray runtime started" in line for line in process.stdout)
        drain = threading.Thread(target=process.stdout.read, daemon=True)
        drain.start()
        yield f"127.0.0.1:{port}"
        process.terminate()
        process.wait(60)
        drain.join(10)
        process.stdout.close()


def answers_in_store(run: Path) -> dict[str, str]:
    """The text of each answer in the store, by key."""
    store = AttemptStore(str(run / "completions"))
    tables = [table for stage in store.stages() for table in readable(store, stage, ["text"])]
    return {row["key"]: row["text"] for table in tables for row in table.to_pylist()}


def answers_on_record(run: Path) -> dict[str, str]:
    """The text of each answer in the journal, by key."""
    with Journal(run / "journal.sqlite") as journal:
        return {a.key: a.result.text for a in journal.attempts() if isinstance(a.result, Completion)}


def test_workers_on_this_machine_give_the_live_release(tmp_path: Path, live: dict[str, str]) -> None:
    with chat_server(well_behaved) as server:
        done = built(tmp_path, server, "--transport", "daft")
        assert done.returncode == 0, done.stderr
        assert set(server.calls.values()) == {1}
        assert server.most_in_flight <= 2 * IN_FLIGHT
    assert digests(tmp_path / "release") == live
    assert answers_in_store(tmp_path) == answers_on_record(tmp_path)
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or b"planted-secret" not in path.read_bytes(), path


def test_workers_on_a_ray_cluster_give_the_live_release(tmp_path: Path, live: dict[str, str], cluster: str) -> None:
    with chat_server(well_behaved) as server:
        done = built(tmp_path, server, "--transport", "daft", "--ray", cluster, "--workers", "2")
        assert done.returncode == 0, done.stderr
        assert set(server.calls.values()) == {1}
    assert digests(tmp_path / "release") == live


def workers_of(pid: int) -> list[int]:
    """The Daft workers that a process started, on this machine."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
            words = status.with_name("cmdline").read_bytes()
        except OSError:
            continue
        if parent == pid and b"daft" in words:
            found.append(int(status.parent.name))
    return found


class Sniper:
    """Stops the build or kills it or one of its workers at the fourth response, in the moment the call arrives."""

    def __init__(self, victim: str) -> None:
        self.victim = victim
        self.run: subprocess.Popen[bytes] | None = None
        self.ready = threading.Event()
        self.seen = 0

    def script(self, protocol: str, body: dict[str, Any], call: int) -> Reply:
        """A well-behaved model with a gun."""
        self.ready.wait(30)
        self.seen += stage_of(body) == "respond"
        if self.seen == 4 and self.run is not None:
            self._shoot(self.run.pid)
            self.run = None
        return well_behaved(protocol, body, call)

    def _shoot(self, pid: int) -> None:
        if self.victim == "user":
            os.killpg(pid, signal.SIGINT)  # as a terminal does: the workers get it too
        else:
            os.kill(workers_of(pid)[0] if self.victim == "worker" else pid, signal.SIGKILL)


@pytest.mark.parametrize(("victim", "status"), [("worker", 0), ("run", -signal.SIGKILL), ("user", 130)])
def test_whoever_dies_only_calls_in_flight_are_repeated(
    tmp_path: Path, live: dict[str, str], victim: str, status: int
) -> None:
    """A dead worker is made up for in the same run; after a dead run the next one, even a live one, goes on."""
    sniper = Sniper(victim)
    with chat_server(sniper.script) as server:
        build = command(tmp_path, server, "--transport", "daft")
        silent = subprocess.DEVNULL
        process = subprocess.Popen(build, stdout=silent, stderr=silent, start_new_session=True)
        sniper.run = process
        sniper.ready.set()
        assert process.wait(400) == status
        if status != 0:
            assert built(tmp_path, server).returncode == 0
        repeated = sum(count - 1 for count in server.calls.values())
    assert repeated <= 2 * IN_FLIGHT
    assert digests(tmp_path / "release") == live


def test_a_cluster_that_is_not_there_is_said(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="the extra scale is not installed")
    with chat_server(well_behaved) as server:
        done = built(tmp_path, server, "--transport", "daft", "--ray", "127.0.0.1:9")
    assert done.returncode == 1
    assert "the Ray cluster 127.0.0.1:9 cannot be used" in done.stderr
    assert "Traceback" not in done.stderr
