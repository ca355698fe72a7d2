"""What a build refuses or warns of before it stores or asks anything."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from builder import annotate_cli, cli, journal_cli
from builder.providers import connect
from builder.transports.daft import crew

BUILD = ["--topics", "fraud", "--per-cell", "1", "--levels", "1", "--judges", "lexical"]


def build(run: Path, *flags: str) -> int:
    """The command on a small slice; later flags win."""
    return cli.main([*BUILD, "--targets", "scripted/plausible", "--run", str(run), *flags])


def without(monkeypatch: pytest.MonkeyPatch, package: str, module: object) -> None:
    """Let a module of the product find no such package."""
    monkeypatch.setattr(module, "find_spec", lambda name: None if name == package else find_spec(name))


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--targets", "local/nosuch"], "local/nosuch is not known"),
        (["--targets", "local/nosuch.gguf"], "there is no such file"),
        (["--targets", "openai/m"], "needs an API key"),
        (["--targets", "openai-compatible/m"], "needs an address"),
        (["--targets", "local/smollm2-135m"], "needs xllamacpp"),
        (["--transport", "daft"], "--transport daft needs daft"),
    ],
)
def test_what_cannot_be_asked_is_said_before_anything_is_stored_and_by_the_plan(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    flags: list[str],
    words: str,
) -> None:
    assert build(tmp_path) == 0
    settings = (tmp_path / "settings.json").read_bytes()
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    without(monkeypatch, "xllamacpp", connect)
    without(monkeypatch, "daft", crew)
    assert build(tmp_path, *flags) == 2
    assert words in capsys.readouterr().err
    assert (tmp_path / "settings.json").read_bytes() == settings
    assert build(tmp_path, *flags, "--plan") == 0
    told = capsys.readouterr().out
    assert words in told[told.index("the run would stop at once:") :]


def test_the_log_says_that_a_stage_with_nothing_left_to_ask_ended(tmp_path: Path) -> None:
    ends = []
    for name in ("first.jsonl", "second.jsonl"):
        assert build(tmp_path / "run", "--json-log", str(tmp_path / name)) == 0
        events = [json.loads(line)["event"] for line in (tmp_path / name).read_text().splitlines()]
        ends.append(events.count("end"))
        assert events[-1] == "end"
    assert ends[0] == ends[1] > 0


def test_a_missing_journal_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build(tmp_path) == 0
    assert "the journal is missing" not in capsys.readouterr().err
    (tmp_path / "journal.sqlite").unlink()
    assert journal_cli.main(["check", "--run", str(tmp_path)]) == 1
    assert "the journal is missing" in capsys.readouterr().err
    assert annotate_cli.main(["export", "--run", str(tmp_path), "--annotator", "a", str(tmp_path / "t.csv")]) == 1
    assert "the journal is missing" in capsys.readouterr().err
    assert not (tmp_path / "journal.sqlite").exists()
    assert build(tmp_path, "--plan") == 0
    assert "the journal is missing" in (told := capsys.readouterr().out)
    assert "the run would begin anew, and ask everything again" in told
    assert not (tmp_path / "journal.sqlite").exists()
    assert build(tmp_path) == 0
    assert "the journal is missing" in capsys.readouterr().err


def test_a_missing_judge_record_stops_a_run_before_anything_is_stored_and_the_plan_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = ["--judge-record", str(tmp_path / "none.json")]
    words = f"--judge-record {tmp_path / 'none.json'} is no judge record ("
    assert build(tmp_path / "run", "--plan", *record) == 0
    told = capsys.readouterr().out
    assert "the run would stop at once:" in told
    assert words in told
    assert build(tmp_path / "run", *record) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_generator_without_anything_to_write_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build(tmp_path, "--generator", "scripted/plausible") == 2
    assert "--generator: goes with source generate or both" in capsys.readouterr().err


@pytest.mark.parametrize("flags", [["--base-url", "nobody"], ["--tier", "secret"], ["--nosuch"]])
def test_a_wrong_flag_is_one_line(capsys: pytest.CaptureFixture[str], flags: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(flags)
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("build-dataset: ")
    assert flags[0] in line
