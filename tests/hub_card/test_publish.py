"""Publishing on a real git-backed Hub over HTTP, with the real client."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hub_card.facts import ReleaseError, Report
from hub_card.hub import Hub
from hub_card.hub_errors import HubError
from hub_card.layout import CONFIGS
from hub_card.publish import Publisher
from hub_card.readiness import check_ready
from hub_card.release import write_release
from hub_card.verify import verify
from tests.hub_card import hub_server, rows
from tests.hub_card.hub_server import Fault

pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")

NAME = "alice/refusal-foresight"
ALICE = "hf_alice"
TOKENS = {"hf_alice": ("alice", "write"), "hf_reader": ("alice", "read"), "hf_bob": ("bob", "write")}
HEAD = "GET /api/datasets/alice/refusal-foresight$"
COMMIT = "POST .*/commit/"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[hub_server.Hub]:
    with hub_server.serving(tmp_path / "hub", TOKENS) as hub:
        yield hub


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("built") / "release")


def built(place: Path, samples: int = 1, **changed: Any) -> Path:
    tables = rows.tables(samples)
    write_release(tables, rows.facts(tables, **changed), place)
    return place


def publisher(server: hub_server.Hub, release: Path, token: str = ALICE, **settings: Any) -> Publisher:
    """A publisher that neither sleeps nor loads the published version from outside."""
    quick: dict[str, Any] = {"say": lambda _: None, "pause": lambda _: None, "check": lambda *_, **__: None}
    return Publisher(release, Hub(NAME, server.url, token), token, **({"date": "2026-11-01"} | quick | settings))


def refs(server: hub_server.Hub, prefix: str) -> list[str]:
    return [ref["name"] for ref in server.repos[NAME].refs(prefix)]


def titles(server: hub_server.Hub) -> list[str]:
    return server.repos[NAME].git("log", "--format=%s", "main").splitlines()


def command(server: hub_server.Hub, *arguments: str, token: str = ALICE) -> "subprocess.Popen[str]":
    environment = {**os.environ, "HF_TOKEN": token, "HF_ENDPOINT": server.url, "PYTHONPATH": str(Path.cwd())}
    return subprocess.Popen(
        [sys.executable, "-m", "hub_card.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


LOAD = """
import json, os, sys, datasets
datasets.disable_progress_bars()
name, revision, configs = sys.argv[1], sys.argv[2], sys.argv[3:]
found = {c: datasets.load_dataset(name, c, split="train", revision=revision).num_rows for c in configs}
streamed = next(iter(datasets.load_dataset(name, "labels", split="train", revision=revision, streaming=True)))
print(json.dumps([found, streamed["target"]]), flush=True)
os._exit(0)  # a stream that is left in the middle can abort the interpreter's end: its reader's threads still run
"""


def loaded(server: hub_server.Hub, revision: str, home: Path) -> dict[str, int]:
    environment = {**os.environ, "HF_ENDPOINT": server.url, "HF_HOME": str(home), "HF_HUB_DISABLE_XET": "1"}
    arguments = [sys.executable, "-c", LOAD, NAME, revision, *CONFIGS]
    done = subprocess.run(arguments, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    found: dict[str, int] = json.loads(done.stdout)[0]
    return found


def test_two_versions_are_published_verified_and_each_loads_its_own_rows(
    server: hub_server.Hub, tmp_path: Path, release: Path
) -> None:
    process = command(server, str(release), "--repo", NAME)
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert f"Published and verified: {server.url}/datasets/{NAME} at v1.0.0" in out
    assert not server.repos[NAME].private
    newer = built(tmp_path / "newer", samples=2, version="1.1.0")
    process = command(server, str(newer), "--repo", NAME)
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert refs(server, "refs/tags") == ["v1.0.0", "v1.1.0"]
    assert titles(server) == ["Release 1.1.0", "Release 1.0.0", "initial commit"]
    old, new = (loaded(server, tag, tmp_path / "home") for tag in ("v1.0.0", "v1.1.0"))
    assert (old["datapoints"], new["datapoints"]) == (48, 96)
    assert set(old) == set(new) == set(CONFIGS)


def test_the_tag_is_annotated_and_the_card_names_the_repository(server: hub_server.Hub, release: Path) -> None:
    publisher(server, release).publish()
    repo = server.repos[NAME]
    assert repo.git("cat-file", "-t", "v1.0.0") == "tag"
    card = repo.git("show", "v1.0.0:README.md")
    assert f'load_dataset("{NAME}", "labels", split="train", revision="v1.0.0")' in card
    assert "OWNER/NAME" not in card
    assert "- First release." in repo.git("show", "v1.0.0:CHANGELOG.md")


def test_a_new_version_deletes_stale_files_and_extends_the_changelog(server: hub_server.Hub, tmp_path: Path) -> None:
    def report(folder: Path) -> Report:
        (folder / "report").mkdir()
        (folder / "report" / "old.html").write_text("old")
        return Report()

    tables = rows.tables()
    write_release(tables, rows.facts(tables), tmp_path / "old", report)
    publisher(server, tmp_path / "old").publish()
    plan = publisher(server, built(tmp_path / "new", version="1.0.1")).publish()
    assert plan.deletes == ("report/old.html",)
    log = server.repos[NAME].git("show", "v1.0.1:CHANGELOG.md")
    assert log.startswith(
        "# Changelog\n\n## 1.0.1 (2026-11-01)\n\n- Other files changed: report/old.html.\n\n## 1.0.0 ("
    )
    assert "report/old.html" in server.repos[NAME].git("ls-tree", "-r", "--name-only", "v1.0.0")


def test_a_version_keeps_the_date_it_was_begun_on(server: hub_server.Hub, release: Path) -> None:
    publisher(server, release).publish()
    server.repos[NAME].git("tag", "-d", "v1.0.0")
    publisher(server, release, date="2026-11-09").publish()
    publisher(server, release, date="2026-11-10").publish()
    assert titles(server) == ["Release 1.0.0", "initial commit"]
    assert "## 1.0.0 (2026-11-01)" in server.repos[NAME].git("show", "v1.0.0:CHANGELOG.md")


def test_publishing_again_does_nothing_but_verify(server: hub_server.Hub, release: Path) -> None:
    publisher(server, release).publish()
    head = server.repos[NAME].resolve("main")
    server.log.clear()
    plan = publisher(server, release).publish()
    assert plan.steps == ("verify",)
    assert server.repos[NAME].resolve("main") == head
    assert not [line for line in server.log if line.startswith(("PUT", "POST"))]


@pytest.mark.parametrize(
    ("samples", "version", "wanted"),
    [(2, "1.0.0", "published version never changes"), (2, "0.9.0", "is too low"), (2, "1.0.1", "Want at least 1.1.0")],
)
def test_a_version_that_does_not_fit_is_refused(
    server: hub_server.Hub, tmp_path: Path, release: Path, samples: int, version: str, wanted: str
) -> None:
    publisher(server, release).publish()
    head = server.repos[NAME].resolve("main")
    with pytest.raises(ReleaseError, match=wanted):
        publisher(server, built(tmp_path / "other", samples, version=version)).publish()
    assert server.repos[NAME].resolve("main") == head
    assert refs(server, "refs/tags") == ["v1.0.0"]


def test_a_dry_run_shows_the_plan_and_changes_nothing(server: hub_server.Hub, release: Path) -> None:
    process = command(server, str(release), "--repo", NAME, "--dry-run")
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert "alice/refusal-foresight v1.0.0, the first release" in out
    assert "1. create the repository, private" in out
    assert "make it public" in out
    assert "+ data/labels/train-00000-of-00001.parquet" in out
    assert server.repos == {}
    assert not [line for line in server.log if not line.startswith("GET")]


def test_a_commit_that_came_between_is_kept_and_the_release_goes_on_top(server: hub_server.Hub, release: Path) -> None:
    def somebody_commits() -> None:
        value = {"path": "README.md", "content": "aGVsbG8=", "encoding": "base64"}
        server.repos[NAME].commit({"summary": "hello"}, [{"key": "file", "value": value}])

    server.before[COMMIT] = somebody_commits
    publisher(server, release).publish()
    assert titles(server) == ["Release 1.0.0", "hello", "initial commit"]
    assert [line for line in server.log if "/commit/" in line] == [f"POST /api/datasets/{NAME}/commit/main"] * 2


@pytest.mark.parametrize(
    "fault",
    [
        Fault(HEAD, 503),
        Fault(HEAD, 429, {"Retry-After": "7"}),
        Fault(HEAD, drop="before"),
        Fault(COMMIT, 500),
        Fault(COMMIT, 504),
        Fault(COMMIT, 409),
        Fault(COMMIT, 412),
        Fault(COMMIT, drop="before"),
        Fault(COMMIT, drop="after"),
        Fault("POST .*/tag/", 502),
        Fault("POST .*/tag/", drop="after"),
        Fault("POST .*/preupload/", 500),
        Fault("PUT /lfs/", 503),
        Fault("POST /api/repos/create", 503),
        Fault("POST /api/repos/create", drop="after"),
        Fault("PUT .*/settings", 500),
    ],
    ids=lambda fault: f"{fault.pattern} {fault.status or fault.drop}",
)
def test_one_fault_on_the_way_does_not_stop_publishing(server: hub_server.Hub, release: Path, fault: Fault) -> None:
    server.faults.append(fault)
    publisher(server, release).publish()
    assert fault.times == 0
    assert titles(server) == ["Release 1.0.0", "initial commit"]
    assert refs(server, "refs/tags") == ["v1.0.0"]
    assert not server.repos[NAME].private


def test_a_hub_that_asks_to_wait_is_waited_for(server: hub_server.Hub, release: Path) -> None:
    server.faults.append(Fault(HEAD, 429, {"Retry-After": "7"}))
    waited: list[float] = []
    publisher(server, release, pause=waited.append).publish()
    assert waited == [7.0]


def test_a_hub_that_stays_down_is_given_up_on(server: hub_server.Hub, release: Path) -> None:
    server.faults.append(Fault(HEAD, 503, times=1000))
    waited: list[float] = []
    with pytest.raises(HubError, match=r"the Hub has a problem.*Gave up after 5 tries.*run the same command again"):
        publisher(server, release, pause=waited.append).publish()
    assert waited == [1, 2, 4, 8]


@pytest.mark.parametrize(
    ("token", "fault", "wanted"),
    [
        ("hf_nobody", None, "does not accept the token in HF_TOKEN"),
        ("hf_reader", None, "may only read"),
        ("hf_bob", None, "want one with write access"),
        ("hf_alice", Fault(COMMIT, 403), "want one with write access"),
        ("hf_alice", Fault(COMMIT, 404), "no such repository or the token may not see it"),
        ("hf_alice", Fault(COMMIT, 400), "the Hub refuses"),
        ("hf_alice", Fault("PUT /lfs/", 403, times=99), "want one with write access"),
    ],
)
def test_a_refusal_says_what_to_do_and_is_not_repeated(
    server: hub_server.Hub, release: Path, token: str, fault: Fault | None, wanted: str
) -> None:
    server.faults += [fault] if fault else []
    with pytest.raises(HubError, match=wanted):
        publisher(server, release, token, pause=lambda _: pytest.fail("waited for a refusal")).publish()


def test_a_repository_of_other_files_is_never_emptied(server: hub_server.Hub, release: Path) -> None:
    Hub(NAME, server.url, "hf_alice").create()
    value = {"path": "thesis.md", "content": "aGVsbG8=", "encoding": "base64"}
    server.repos[NAME].commit({"summary": "years of work"}, [{"key": "file", "value": value}])
    with pytest.raises(ReleaseError, match="holds 1 files and no release"):
        publisher(server, release).publish()
    assert "thesis.md" in server.repos[NAME].git("ls-tree", "--name-only", "main")


def test_a_gated_release_is_closed_before_it_is_filled(server: hub_server.Hub, tmp_path: Path) -> None:
    gated = built(tmp_path / "gated", tier="gated")
    with pytest.raises(ReleaseError, match="give --gated or --private"):
        publisher(server, gated).publish()
    publisher(server, gated, gate="manual").publish()
    assert server.repos[NAME].gated == "manual"
    assert not server.repos[NAME].private
    changes = [line for line in server.log if line.startswith(("PUT /api", "POST /api/datasets"))]
    assert [line.rsplit("/", 1)[-1] for line in changes if "settings" in line or "commit" in line] == [
        "settings",
        "main",
        "settings",
    ]


def test_a_private_release_stays_private(server: hub_server.Hub, tmp_path: Path) -> None:
    private = built(tmp_path / "private", tier="private")
    with pytest.raises(ReleaseError, match="give --private"):
        publisher(server, private, gate="auto").publish()
    publisher(server, private, private=True).publish()
    assert server.repos[NAME].private


def test_a_repository_somebody_made_private_is_not_opened(
    server: hub_server.Hub, tmp_path: Path, release: Path
) -> None:
    publisher(server, release).publish()
    server.repos[NAME].private = True
    said: list[str] = []
    publisher(server, built(tmp_path / "next", version="1.0.1"), say=said.append).publish()
    assert server.repos[NAME].private
    assert "is private and stays so" in said[-1]


def test_a_version_that_does_not_load_as_it_should_is_reported_and_stays_closed(
    server: hub_server.Hub, release: Path
) -> None:
    def differs(*_: Any, **__: Any) -> None:
        raise ReleaseError("labels loads with digest 0")

    with pytest.raises(ReleaseError, match="labels loads with digest"):
        publisher(server, release, check=differs).publish()
    assert server.repos[NAME].private


def test_verification_sees_rows_that_differ(server: hub_server.Hub, release: Path) -> None:
    publisher(server, release).publish()
    with pytest.raises(ReleaseError, match=r"labels loads with digest [0-9a-f]{64}, want 0000"):
        verify(NAME, {"labels": "0000"}, revision="v1.0.0", endpoint=server.url, token="hf_alice")
    with pytest.raises(ReleaseError, match="was published, but does not load"):
        verify(NAME, {}, revision="v9.9.9", endpoint=server.url, token="hf_alice")


@pytest.mark.parametrize("moment", ["PUT /lfs/", COMMIT, "POST .*/tag/"])
def test_a_kill_in_the_middle_leaves_the_old_version_and_the_next_run_finishes(
    server: hub_server.Hub, tmp_path: Path, release: Path, moment: str
) -> None:
    publisher(server, release).publish()
    newer = built(tmp_path / "newer", samples=2, version="1.1.0")
    process = command(server, str(newer), "--repo", NAME)
    server.before[moment] = lambda: process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert server.repos[NAME].git("show", "v1.0.0:manifest.json")
    settled(server)
    assert refs(server, "refs/tags")[0] == "v1.0.0"
    publisher(server, newer).publish()
    assert titles(server) == ["Release 1.1.0", "Release 1.0.0", "initial commit"]
    assert refs(server, "refs/tags") == ["v1.0.0", "v1.1.0"]


def settled(server: hub_server.Hub) -> None:
    """Waits until the server has finished what the killed client had asked for."""
    seen = -1
    while seen != len(server.log):
        seen = len(server.log)
        time.sleep(0.3)


def test_a_missing_token_and_a_wrong_name_are_told(server: hub_server.Hub, release: Path) -> None:
    process = command(server, str(release), "--repo", NAME, token="")
    assert "export HF_TOKEN" in process.communicate()[1]
    assert process.returncode == 1
    process = command(server, str(release), "--repo", "no-owner")
    assert "want owner/name" in process.communicate()[1]
    assert process.returncode == 2


def test_no_token_reaches_what_is_published_or_said(server: hub_server.Hub, release: Path) -> None:
    said: list[str] = []
    server.faults.append(Fault(COMMIT, 500))
    publisher(server, release, say=said.append).publish()
    repo = server.repos[NAME]
    texts = [repo.content(entry) for entry in repo.tree(repo.resolve("main"))]
    assert not [text for text in texts if b"hf_alice" in text]
    assert not [line for line in said if "hf_alice" in line]


@pytest.mark.parametrize("records", [(), (rows.record(0, passes_gate=False),)])
def test_unmeasured_judges_stop_publishing_until_accepted(
    records: tuple[dict[str, object], ...], tmp_path: Path
) -> None:
    tables = rows.tables(cycle=(None,))
    unmeasured = tmp_path / "unmeasured"
    write_release(tables, rows.facts(tables, judge_records=records), unmeasured)
    assert "**Warning.** No record says how well `local/umpire`" in (unmeasured / "README.md").read_text()
    with pytest.raises(ReleaseError, match=r"no record says how well local/umpire agrees.*--accept-unmeasured-judges"):
        check_ready(unmeasured, accept_unmeasured=False)
    check_ready(unmeasured, accept_unmeasured=True)


def test_what_is_not_accounted_for_stops_publishing(tmp_path: Path) -> None:
    tables = rows.tables()
    first, *others = rows.counts(tables)
    lost = built(tmp_path / "lost", counts=(replace(first, made=first.made - 1), *others))
    with pytest.raises(ReleaseError, match=r"planned 24 is not made 23 \+ missing 0"):
        check_ready(lost, accept_unmeasured=False)
