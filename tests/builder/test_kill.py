"""kill -9 in the middle of each stage: running again ends with each planned row once and repeats no recorded call."""

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.builder.test_build import digests, table
from tests.servers.chat_server import ChatServer, Reply, chat_server
from tests.servers.models import stage_of, well_behaved

ROWS = 2 * 3
IN_FLIGHT = 3


def command(run: Path, server: ChatServer) -> list[str]:
    """A small build against the server, as a process of its own."""
    base = ["--base-url", f"openai-compatible={server.url}/v1", "--concurrency", str(IN_FLIGHT)]
    models = ["--targets", "openai-compatible/t", "--judges", "lexical,openai-compatible/j"]
    cells = ["--topics", "weapons", "--levels", "1,5", "--per-cell", "1"]
    return [
        sys.executable,
        "-m",
        "builder.cli",
        "--run",
        str(run),
        *cells,
        *models,
        *base,
    ]


class Killer:
    """Kills the build at the n-th call of a stage, in the moment the call arrives."""

    def __init__(self, stage: str, nth: int) -> None:
        self.stage, self.nth, self.seen = stage, nth, 0
        self.victim: subprocess.Popen[bytes] | None = None
        self.ready = threading.Event()

    def script(self, protocol: str, body: dict[str, Any], call: int) -> Reply:
        """A well-behaved model with a gun."""
        self.ready.wait(30)
        if stage_of(body) == self.stage:
            self.seen += 1
            if self.seen == self.nth and self.victim is not None:
                os.kill(self.victim.pid, signal.SIGKILL)
        return well_behaved(protocol, body, call)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The digests of a run that nobody killed."""
    run = tmp_path_factory.mktemp("undisturbed")
    with chat_server(well_behaved) as server:
        subprocess.run(command(run, server), check=True, capture_output=True)
    return digests(run / "release")


@pytest.mark.parametrize("nth", [1, 4])
@pytest.mark.parametrize("stage", ["predict", "respond", "judge"])
def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, undisturbed: dict[str, str], stage: str, nth: int) -> None:
    killer = Killer(stage, nth)
    with chat_server(killer.script) as server:
        killer.victim = subprocess.Popen(
            command(tmp_path, server), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        killer.ready.set()
        assert killer.victim.wait(60) == -signal.SIGKILL
        killer.victim = None
        subprocess.run(command(tmp_path, server), check=True, capture_output=True)
        repeated = sum(count - 1 for count in server.calls.values())
    assert repeated <= IN_FLIGHT
    rows = table(tmp_path / "release", "datapoints")
    assert Counter(row["variant_id"] for row in rows).most_common(1)[0][1] == 1
    assert len(rows) == ROWS
    assert digests(tmp_path / "release") == undisturbed


def test_a_run_killed_while_it_writes_the_release_leaves_the_old_one_whole(
    tmp_path: Path, undisturbed: dict[str, str]
) -> None:
    with chat_server(well_behaved) as server:
        subprocess.run(command(tmp_path, server), check=True, capture_output=True)
        again = subprocess.Popen(command(tmp_path, server), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        while again.poll() is None and not list(tmp_path.glob(".release.*")):
            pass
        again.kill()
        again.wait()
        assert digests(tmp_path / "release") == undisturbed
        subprocess.run(command(tmp_path, server), check=True, capture_output=True)
    assert digests(tmp_path / "release") == undisturbed
    assert set(server.calls.values()) == {1}
