"""`annotate-dataset serve`: what it leaves behind, what it keeps, what it refuses."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx2
import pytest

from annotation.argilla.environment import PLUGIN, server_python
from annotation.argilla.home import Home
from annotation.argilla.stack import Place, ServerFailedError, Stack
from tests.annotation.argilla.engine_data import FIELDS, QUESTIONS, made
from tests.annotation.argilla.server import Serving, processes_with


def wait_until_gone(scratch: Path) -> None:
    """Until no process of the server is left, nor its directory; fails after half a minute."""
    until = time.monotonic() + 30
    while processes_with(scratch) or scratch.exists():
        assert time.monotonic() < until, processes_with(scratch)
        time.sleep(0.05)


def twenty_records(owner: httpx2.Client) -> list[str]:
    """A published dataset of twenty records; their ids."""
    workspace = next(w["id"] for w in owner.get("/api/v1/me/workspaces").json()["items"] if w["name"] == "refusals")
    body = {"name": "kept", "workspace_id": workspace}
    dataset = made(owner, "/api/v1/datasets", body)["id"]
    made(owner, f"/api/v1/datasets/{dataset}/fields", FIELDS[0])
    made(owner, f"/api/v1/datasets/{dataset}/questions", QUESTIONS[0])
    assert owner.put(f"/api/v1/datasets/{dataset}/publish").status_code == 200
    items = [{"fields": {"request": f"text {number}"}} for number in range(20)]
    answer = owner.post(f"/api/v1/datasets/{dataset}/records/bulk", json={"items": items})
    return [item["id"] for item in answer.json()["items"]]


def test_killed_in_the_middle_of_labelling_it_keeps_every_answer_and_leaves_no_process(tmp_path: Path) -> None:
    with Serving(tmp_path, ("--annotator", "ada")) as serving:
        assert set(serving.passwords) == {"owner", "admin", "ada", "expert"}
        assert_private(serving)
        records = twenty_records(serving.client())
        scratch = serving.scratch()
        assert len(processes_with(scratch)) >= 4
        submitted = label_until_killed(serving, records)
        wait_until_gone(scratch)
        serving.start()
        states = {record: serving.client().get(f"/api/v1/records/{record}").json()["status"] for record in records}
        kept = {record for record, state in states.items() if state == "completed"}
        assert set(submitted) <= kept
        assert len(kept) <= len(submitted) + 1
        assert serving.client("ada").get("/api/v1/me").json()["username"] == "ada"
        scratch = serving.scratch()
        assert serving.stop() == 0
    assert not processes_with(scratch)
    assert not scratch.exists()
    assert serving.said[-1] == "stopped; everything is kept, the same command goes on with it"


def assert_private(serving: Serving) -> None:
    """Its files are for their owner alone, and no password is in any."""
    for path in serving.home.rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path
        assert not any(password.encode() in path.read_bytes() for password in serving.passwords.values()), path


def label_until_killed(serving: Serving, records: list[str]) -> list[str]:
    """Submit answers one after another while `serve` is killed; the records whose answers were acknowledged."""
    assert serving.process is not None
    killer = threading.Timer(0.8, serving.process.kill)
    killer.start()
    ada, submitted = serving.client("ada"), list[str]()
    answer = {"status": "submitted", "values": {"label": {"value": "one"}}}
    for record in records:
        try:
            if ada.post(f"/api/v1/records/{record}/responses", json=answer).status_code == 201:
                submitted.append(record)
        except httpx2.TransportError:
            break
    killer.join()
    serving.stop(signal.SIGKILL)
    return submitted


def test_a_taken_port_is_said_in_words_and_nothing_is_started(argilla: Serving, tmp_path: Path) -> None:
    stack = Stack(Path(sys.executable), Home(tmp_path / "argilla"), Place(port=argilla.port))
    with pytest.raises(ServerFailedError, match="give another --port"):
        stack.start([], [])
    assert not (tmp_path / "argilla").exists()


def in_server(module: str, path: str, **environment: str) -> str:
    """What the server's Python says when it imports a module of the plug-in."""
    done = subprocess.run(
        [str(server_python(print)), "-m", module],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": path, **environment},
        input='{"workspaces": [], "users": []}',
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode
    return done.stderr.splitlines()[-1]


def test_another_version_of_argilla_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "argilla_server-2.9.0.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: argilla-server\nVersion: 2.9.0\n")
    said = in_server("argilla_sqlite.worker", f"{tmp_path}{os.pathsep}{PLUGIN}")
    assert "argilla-server 2.8.0, but 2.9.0 is installed: install argilla-server==2.8.0" in said


def test_another_kind_of_database_is_refused() -> None:
    url = "postgresql+asyncpg://somewhere/argilla"
    said = in_server("argilla_sqlite.worker", str(PLUGIN), ARGILLA_DATABASE_URL=url)
    assert "SQLite file, but ARGILLA_DATABASE_URL names a postgresql+asyncpg database" in said


def test_tables_of_another_argilla_are_refused(tmp_path: Path) -> None:
    database = tmp_path / "argilla.db"
    with sqlite3.connect(database) as connection:
        connection.executescript(
            "CREATE TABLE alembic_version (version_num); INSERT INTO alembic_version VALUES ('f00')"
        )
    connection.close()
    said = in_server("argilla_sqlite.accounts", str(PLUGIN), ARGILLA_HOME_PATH=str(tmp_path))
    assert "was written by another Argilla (tables of revision f00, want 580a6553186f" in said
