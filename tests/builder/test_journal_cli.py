"""Looking after the journal: checking it, and handing it to other tools."""

import json
import shutil
import sqlite3
import zlib
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from builder import annotate_cli, cli, journal_cli

BUILD = ["--topics", "fraud", "--per-cell", "1", "--levels", "1", "--targets", "scripted/plausible"]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A small finished run: three predictions and three responses."""
    assert cli.main([*BUILD, "--judges", "lexical", "--run", str(tmp_path)]) == 0
    return tmp_path


def test_a_sound_journal_is_sound(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert journal_cli.main(["check", "--run", str(run)]) == 0
    told = capsys.readouterr().out
    assert "6 answers on record, 0 problems" in told
    assert "0 of them not used by the present settings" in told


def test_answers_of_other_settings_are_counted_and_kept(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main([*BUILD, "--judges", "lexical", "--run", str(run), "--response-tokens", "7"])
    journal_cli.main(["check", "--run", str(run)])
    told = capsys.readouterr().out
    assert "3 of them not used by the present settings and texts (kept): respond scripted/plausible 3" in told


def test_answers_of_a_judge_that_was_dropped_are_counted_as_not_used(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cli.main([*BUILD, "--judges", "lexical,scripted/other", "--run", str(run)])
    journal_cli.main(["check", "--run", str(run)])
    assert "0 of them not used" in capsys.readouterr().out
    cli.main([*BUILD, "--judges", "lexical", "--run", str(run)])
    journal_cli.main(["check", "--run", str(run)])
    assert "3 of them not used by the present settings and texts (kept): judge scripted/other 3" in (
        capsys.readouterr().out
    )


def test_a_changed_request_is_found(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with sqlite3.connect(run / "journal.sqlite") as database:
        database.execute("UPDATE requests SET body = (SELECT body FROM requests LIMIT 1)")
    database.close()
    assert journal_cli.main(["check", "--run", str(run)]) == 1
    assert "its content has another hash" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["calls.parquet", "calls.jsonl"])
def test_every_attempt_is_exported(run: Path, name: str) -> None:
    assert journal_cli.main(["export", "--run", str(run), str(run / name)]) == 0
    if name.endswith("parquet"):
        rows = pq.read_table(run / name).to_pylist()
    else:
        rows = [json.loads(line) for line in (run / name).read_text().splitlines()]
    assert sorted(row["stage"] for row in rows) == ["predict"] * 3 + ["respond"] * 3
    assert all(row["text"] and row["outcome"] == "text" and row["output_tokens"] for row in rows)


def test_a_recorded_count_of_tokens_that_can_be_none_is_left_out(run: Path) -> None:
    with sqlite3.connect(run / "journal.sqlite") as database:
        key, body = database.execute("SELECT key, body FROM attempts WHERE body IS NOT NULL LIMIT 1").fetchone()
        answer = json.loads(zlib.decompress(body)) | {"usage": {"input_tokens": 10**12, "output_tokens": 10**30}}
        changed = zlib.compress(json.dumps(answer).encode())
        database.execute("UPDATE attempts SET body = ? WHERE key = ?", (changed, key))
    database.close()
    shutil.rmtree(run / "release")
    assert cli.main([*BUILD, "--judges", "lexical", "--run", str(run)]) == 0
    assert journal_cli.main(["export", "--run", str(run), str(run / "calls.parquet")]) == 0
    rows = {row["key"]: row for row in pq.read_table(run / "calls.parquet").to_pylist()}
    assert rows[key]["input_tokens"] is rows[key]["output_tokens"] is None


def test_another_ending_is_refused(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert journal_cli.main(["export", "--run", str(run), str(run / "calls.txt")]) == 1
    assert "ends in .parquet or .jsonl" in capsys.readouterr().err


def test_a_run_that_does_not_exist_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert journal_cli.main(["check", "--run", str(tmp_path / "no")]) == 1
    assert "does not exist" in capsys.readouterr().err


@pytest.mark.parametrize("body", [b"\x00", zlib.compress(b'{"text": '), zlib.compress(b'{"text": "no outcome"}')])
@pytest.mark.parametrize("table", ["attempts", "requests"])
def test_a_damaged_body_is_a_problem_with_its_key_and_no_traceback(
    run: Path, capsys: pytest.CaptureFixture[str], table: str, body: bytes
) -> None:
    with sqlite3.connect(run / "journal.sqlite") as database:
        (key,) = database.execute("SELECT key FROM requests WHERE stage = 'respond'").fetchone()
        database.execute(f"UPDATE {table} SET body = ? WHERE key = ?", (body, key))  # noqa: S608
    database.close()
    assert journal_cli.main(["check", "--run", str(run)]) == 1
    told = capsys.readouterr().out
    assert f"{key}: its body cannot be read" in told
    assert "6 answers on record, 1 problems" in told
    assert journal_cli.main(["export", "--run", str(run), str(run / "calls.parquet")]) == 1
    assert f"table {table}, key {key}" in capsys.readouterr().err
    assert not list(run.glob("calls.parquet*"))
    if table == "attempts":
        assert cli.main([*BUILD, "--judges", "lexical", "--run", str(run)]) == 1
        assert f"table {table}, key {key}" in capsys.readouterr().err
        assert annotate_cli.main(["export", "--run", str(run), "--annotator", "a", str(run / "t.csv")]) == 1
        assert "Restore the file from a copy" in capsys.readouterr().err
