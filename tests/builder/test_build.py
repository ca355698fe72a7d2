"""`build-dataset` from end to end: what a stranger runs, with models that are scripted or local servers."""

import hashlib
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from builder.cli import main
from schemas.rows import TABLES
from tests.servers.chat_server import Reply, Script, chat_server, text_reply
from tests.servers.models import stage_of, well_behaved

SLICE = ["--topics", "weapons,fraud", "--levels", "1,5", "--per-cell", "2"]
ROWS = 2 * 2 * 2 * 3


def digests(release: Path) -> dict[str, str]:
    """SHA-256 of every file of a release."""
    files = sorted(path for path in release.rglob("*") if path.is_file())
    return {str(path.relative_to(release)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def table(release: Path, name: str) -> list[dict[str, Any]]:
    """Every row of a table, class labels as words."""
    import datasets

    loaded = datasets.load_dataset(str(release), name, split="train", cache_dir=str(release.parent / "cache"))
    classes = {column: f for column, f in loaded.features.items() if isinstance(f, datasets.ClassLabel)}
    return [
        {c: classes[c].int2str(v) if c in classes and v is not None else v for c, v in row.items()} for row in loaded
    ]


def build(run: Path, *flags: str) -> int:
    """The command on the slice."""
    return main([*SLICE, "--run", str(run), *flags])


def test_a_run_ends_in_a_release_with_every_planned_row(tmp_path: Path) -> None:
    assert build(tmp_path, "--targets", "scripted/plausible", "--judges", "lexical,scripted/plausible") == 0
    release = tmp_path / "release"
    rows = table(release, "datapoints")
    assert len(rows) == len({(row["target"], row["variant_id"], row["sample"]) for row in rows}) == ROWS
    manifest = json.loads((release / "manifest.json").read_text())
    assert manifest["configs"]["datapoints"]["rows"] == ROWS


def test_a_second_run_asks_nothing_and_gives_the_same_bytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ("--targets", "scripted/plausible", "--judges", "lexical,scripted/plausible")
    build(tmp_path, *flags)
    first = digests(tmp_path / "release")
    capsys.readouterr()
    assert build(tmp_path, *flags) == 0
    assert digests(tmp_path / "release") == first
    assert f"{ROWS} of {ROWS} on record, 0 to ask" in capsys.readouterr().err


def test_every_config_loads_in_a_fresh_process_with_the_counts_of_the_manifest(tmp_path: Path) -> None:
    build(tmp_path, "--targets", "scripted/plausible", "--judges", "lexical")
    script = (
        "import sys, json, datasets; path, name, cache = sys.argv[1:];"
        "print(datasets.load_dataset(path, name, split='train', cache_dir=cache).num_rows)"
    )
    manifest = json.loads((tmp_path / "release" / "manifest.json").read_text())
    assert set(manifest["configs"]) == set(TABLES)
    for name in (name for name in TABLES if manifest["configs"][name]["rows"]):
        command = [sys.executable, "-c", script, str(tmp_path / "release"), name, str(tmp_path / "cache")]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert int(done.stdout) == manifest["configs"][name]["rows"], name


def both_protocols(run: Path, script: Script, *flags: str) -> tuple[int, Counter[str]]:
    """A build whose target and judge are reached through both SDKs; returns its status and calls by stage."""
    with chat_server(script) as server:
        status = build(
            run,
            *("--targets", "openai-compatible/target,anthropic/target"),
            *("--judges", "lexical,openai-compatible/judge,anthropic/judge"),
            *("--base-url", f"openai-compatible={server.url}/v1", "--base-url", f"anthropic={server.url}"),
            *flags,
        )
        return status, Counter(stage_of(body) for body in server.bodies)


def test_the_same_run_goes_through_both_sdks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-planted-secret")
    status, calls = both_protocols(tmp_path, well_behaved)
    assert status == 0
    assert (calls["predict"], calls["respond"]) == (2 * ROWS, 2 * ROWS)
    assert calls["judge"] <= 2 * 2 * ROWS  # two targets that say the same of a text are judged once
    assert len(table(tmp_path / "release", "judgments")) == 2 * 3 * ROWS
    rows = table(tmp_path / "release", "datapoints")
    assert Counter(row["prediction_status"] for row in rows) == {"ok": 2 * ROWS}
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or b"planted-secret" not in path.read_bytes(), path


BAD_PREDICTIONS = {
    "out_of_range": ['{"refuse":"yes","confidence":0,"harm":1}', '{"refuse":"no","confidence":6,"harm":1}'],
    "unparsed": [
        '{"refuse":"yes","confidence":"5/5","harm":1}',
        '{"refuse":"maybe","confidence":3,"harm":1}',
        '{"refuse":"yes","confidence":4.5,"harm":1}',
        '{"refuse":"yes","confidence":true,"harm":1}',
        '{"refuse":null,"confidence":3,"harm":1}',
        '{"refuse":"yes","confidence":3}',
        '{"refuse":"yes","refuse":"no","confidence":3,"harm":1}',
        '{"refuse":"yes","confidence":3,"harm":1} {"refuse":"no","confidence":3,"harm":1}',
        '{"refuse":"yes","confidence":3,',
        "[1, 2]",
        "yes, five",
        "{" * 5000,
    ],
    "refused": ["I'm sorry, but I can't help with that."],
    "empty": ["", " "],
}


@pytest.mark.parametrize(("status", "text"), [(s, t) for s, texts in BAD_PREDICTIONS.items() for t in texts])
def test_a_bad_prediction_is_missing_with_its_reason(tmp_path: Path, status: str, text: str) -> None:
    def script(protocol: str, body: dict[str, Any], call: int) -> Reply:
        return text_reply(protocol, text) if stage_of(body) == "predict" else well_behaved(protocol, body, call)

    with chat_server(script) as server:
        address = f"openai-compatible={server.url}/v1"
        flags = (
            "--targets",
            "openai-compatible/t",
            "--judges",
            "lexical",
            "--base-url",
            address,
            "--topics",
            "weapons",
        )
        build(tmp_path, *flags, "--per-cell", "1", "--levels", "1")
    rows = table(tmp_path / "release", "predictions")
    assert {row["status"] for row in rows} == {status}
    assert all(row["refuse"] is row["confidence"] is row["harm_rating"] is None for row in rows)


def test_an_odd_number_of_faults_ends_in_a_full_account(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Filters, truncations, empties, refusal stops and passing faults: each row ends as what it is, none as a label."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    ends: dict[str, Reply] = {}

    def script(protocol: str, body: dict[str, Any], call: int) -> Reply:
        if stage_of(body) != "respond" or protocol != "openai":
            return well_behaved(protocol, body, call)
        return faulty(str(body["messages"]), call, ends)

    status, _ = both_protocols(tmp_path, script)
    assert status == 0
    rows = [row for row in table(tmp_path / "release", "datapoints") if row["target"].startswith("openai")]
    assert Counter(row["status"] for row in rows) == {"blocked": 8, "empty": 4, "truncated": 4, "ok": 8}
    assert {row["label_source"] for row in rows if row["status"] == "ok"} <= {"outcome", "judges"}
    assert all(row["actual_class"] is None for row in rows if row["status"] != "ok")


def faulty(message: str, call: int, ends: dict[str, Reply]) -> Reply:
    """Six endings in turn; the last comes only after two passing faults."""
    from tests.servers.chat_server import openai_reply

    kinds = [
        Reply({"error": {"code": "content_filter", "message": "no"}}, 400),
        openai_reply(None, "content_filter"),
        openai_reply(""),
        openai_reply("", "length"),
        openai_reply(None, refusal="I can't help with that."),
        openai_reply(None, refusal="I won't."),
    ]
    end = ends.setdefault(message, kinds[len(ends) % len(kinds)])
    if end is kinds[-1] or (end.body == kinds[-1].body and call <= 2):
        return Reply({"error": {"message": "busy"}}, 429) if call == 1 else Reply(drop=True) if call == 2 else end
    return end


def test_a_provider_without_hope_ends_in_a_report_and_all_other_work_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")

    def script(protocol: str, body: dict[str, Any], call: int) -> Reply:
        wrong = Reply({"error": {"message": "invalid x-api-key"}}, 401)
        return wrong if protocol == "anthropic" else well_behaved(protocol, body, call)

    status, _ = both_protocols(tmp_path, script)
    assert status == 3
    assert "anthropic/target was given up: auth: invalid x-api-key" in capsys.readouterr().out
    rows = table(tmp_path / "release", "datapoints")
    assert Counter((row["target"].split("/")[0], row["status"] == "error") for row in rows) == {
        ("openai-compatible", False): ROWS,
        ("anthropic", True): ROWS,
    }


def test_a_key_that_is_not_set_is_said_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert build(tmp_path, "--targets", "openai/m") == 2
    assert "openai/m needs an API key: set the environment variable OPENAI_API_KEY" in capsys.readouterr().err


@pytest.mark.parametrize("key", ["sk-test-secret\n", "sk-test secret", "sk-test\u2013secret"])
def test_a_key_that_cannot_be_sent_is_said_at_once_without_repeating_it(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    assert main(["--targets", "openai/m", "--judges", "lexical", "--run", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert "OPENAI_API_KEY holds spaces, line ends or letters that no key has" in said
    assert "secret" not in said


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--topics", "guns"], "--topics: got 'guns'"),
        (["--levels", "9"], "--levels: got '9'"),
        (["--targets", "nobody/m"], "is not a model: want provider/model"),
        (["--targets", "lexical"], "lexical is a judge"),
        (["--samples", "2"], "give a temperature"),
        (["--accept-judge", "openai/m"], "is not among the judges"),
        (["--config", "nowhere.toml"], "cannot read the configuration nowhere.toml"),
    ],
)
def test_a_wrong_setting_is_named(
    flags: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--run", str(tmp_path), *flags]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("make", [False, True])
def test_a_corpus_folder_without_requests_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], make: bool
) -> None:
    if make:
        (tmp_path / "mine").mkdir()
    assert main(["--corpus", str(tmp_path / "mine"), "--validate-only"]) == 2
    assert "there is no .yaml file in it" in capsys.readouterr().err


def test_a_run_needs_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--run", "", "--plan"])
    assert "want the directory of a run" in capsys.readouterr().err


def test_the_plan_asks_nobody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build(tmp_path, "--plan", "--targets", "openai/m", "--judges", "openai/j") == 0
    told = capsys.readouterr().out
    assert "72 calls to make" in told
    assert not list(tmp_path.iterdir())
