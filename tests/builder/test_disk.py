"""A full disk, a directory nobody can write, two runs at once, a journal from the future: said, and nothing is lost."""

import resource
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from builder import cli, journal_cli
from builder.journal.integrity import problems_of
from builder.journal.store import Journal, JournalError
from builder.journal.tables import SCHEMA_VERSION
from builder.leftovers import tidy
from tests.builder.test_build import digests
from tests.builder.test_journal import ANSWER, KEY, REQUEST
from tests.servers.chat_server import chat_server
from tests.servers.models import well_behaved
from tests.servers.mounts import build_command, in_own_mounts

ROWS = 2 * 2 * 2 * 3


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The digests of a run with room enough."""
    run = tmp_path_factory.mktemp("undisturbed")
    assert cli.main(build_command(run)[3:]) == 0
    return digests(run / "release")


@pytest.mark.parametrize("room", ["40k", "200k", "800k"])
def test_a_full_disk_loses_nothing_and_with_more_room_the_run_goes_on(
    tmp_path: Path, undisturbed: dict[str, str], room: str
) -> None:
    """The disk fills up while the journal is made, while it is written, and while the release is."""
    run, kept = tmp_path / "run", tmp_path / "kept"
    run.mkdir()
    script = f"""
        mount -t tmpfs -o size={room} none "$0"
        status=0; "$@" || status=$?; echo "status $status"
        mount -o remount,size=100m "$0"
        if [ -s "$0/journal.sqlite" ]; then {sys.executable} -m builder.journal_cli check --run "$0"; fi
        "$@"
        cp -r "$0" {kept}
    """
    done = in_own_mounts(script, run, *build_command(run))
    assert done.returncode == 0, done.stderr
    assert "status 1" in done.stdout
    assert "Traceback" not in done.stderr
    assert "No space left" in done.stderr or "disk is full" in done.stderr
    assert "0 problems" in done.stdout or room == "40k"
    assert digests(kept / "release") == undisturbed
    assert sorted(path.name for path in kept.glob(".*")) == []


def test_a_file_that_may_not_grow_is_said_and_nothing_recorded_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    script = "import sys; from pathlib import Path; from tests.builder.test_disk import fill; fill(Path(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=False)
    assert "nothing recorded before is lost" in done.stderr
    with Journal(path) as journal:
        assert journal.completion(KEY) == ANSWER
        assert problems_of(journal) == []


def fill(path: Path) -> None:
    """Record an answer, then go on until the file may not grow."""
    from dataclasses import replace

    from builder.journal.store import Entry

    with Journal(path) as journal:
        journal.append([Entry("respond", REQUEST, ANSWER)])
        resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))
        try:
            for sample in range(1, 10_000):
                request = replace(REQUEST, sample=sample)
                journal.append([Entry("respond", request, replace(ANSWER, text=f"{sample:x}" * 4000))])
        except JournalError as error:
            sys.stderr.write(str(error))


def test_a_directory_that_nobody_can_write_is_said(tmp_path: Path, undisturbed: dict[str, str]) -> None:
    run = tmp_path / "run"
    run.mkdir()
    assert cli.main(build_command(run)[3:]) == 0
    script = 'mount --bind "$0" "$0"; mount -o remount,bind,ro "$0"; "$@"'
    done = in_own_mounts(script, run, *build_command(run))
    assert done.returncode == 1
    assert done.stderr.startswith(f"build-dataset: cannot write the run directory {run}: Read-only file system.")
    assert digests(run / "release") == undisturbed
    done = in_own_mounts(script, tmp_path, *build_command(tmp_path / "new"))
    assert done.returncode == 1
    assert "Read-only file system" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_second_run_on_a_directory_is_refused_and_harms_nothing(tmp_path: Path) -> None:
    second: list[subprocess.CompletedProcess[str]] = []

    def meanwhile(protocol: str, body: dict[str, object], call: int) -> object:
        if not second:
            second.append(subprocess.run(build_command(tmp_path), capture_output=True, text=True, check=False))
        return well_behaved(protocol, body, call)

    with chat_server(meanwhile) as server:  # type: ignore[arg-type]
        first = [
            *("--run", str(tmp_path), "--topics", "weapons", "--levels", "1", "--per-cell", "1"),
            *("--targets", "openai-compatible/t", "--judges", "lexical"),
            *("--base-url", f"openai-compatible={server.url}/v1", "--concurrency", "1"),
        ]
        assert cli.main(first) == 0
    assert second[0].returncode == 1
    assert "is in use by another run (process " in second[0].stderr
    with Journal(tmp_path / "journal.sqlite") as journal:
        assert {attempt.model for attempt in journal.attempts()} == {"openai-compatible/t"}


def test_a_journal_from_the_future_is_left_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "journal.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE marvels (what TEXT)")
        database.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    database.close()
    before = path.read_bytes()
    run = ["--run", str(tmp_path)]
    assert cli.main(build_command(tmp_path)[3:]) == 1
    assert cli.main([*build_command(tmp_path)[3:], "--plan"]) == 1
    assert journal_cli.main(["check", *run]) == 1
    assert journal_cli.main(["export", *run, str(tmp_path / "x.jsonl")]) == 1
    assert capsys.readouterr().err.count("update the toolkit") == 4
    assert path.read_bytes() == before


def test_what_killed_runs_left_is_tidied_and_a_release_set_aside_comes_back(tmp_path: Path) -> None:
    for name in (".release.x1", ".readings.x2", ".release.old"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    (tmp_path / "settings.json.part").write_text("{")
    tidy(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["release"]
    assert (tmp_path / "release" / "file").read_text() == ".release.old"
