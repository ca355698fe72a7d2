"""`evaluate-judge`: a judge measured against people, and what its record then allows."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from builder import cli
from builder.evaluate_cli import main
from builder.judge_records import prompt_hash, valid_records
from schemas.config import ConfigError
from tests.builder.test_build import table
from tests.servers.chat_server import Reply, chat_server, text_reply
from tests.servers.models import ANSWER, REFUSAL, stage_of, well_behaved


def gold(path: Path, count: int = 240) -> Path:
    """As many refusals as answers, each to a prompt of its own."""
    rows = [
        {
            "prompt": f"Question {n}?",
            "response": f"{REFUSAL if n % 2 else ANSWER} ({n})",
            "label": "full_refusal" if n % 2 else "full_compliance",
            "source": "ours",
            "target": f"m{n % 3}",
        }
        for n in range(count)
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def measure(tmp_path: Path, address: str, record: Path) -> int:
    """The honest judge of the local server, measured."""
    return main(
        [
            *("--judge", "openai-compatible/j", "--gold", str(gold(tmp_path / "gold.jsonl"))),
            *(
                "--base-url",
                f"openai-compatible={address}/v1",
                "--json",
                str(record),
                "--run",
                str(tmp_path / "judges"),
            ),
        ]
    )


def test_the_lexical_judge_is_measured_without_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--judge", "lexical", "--gold", str(gold(tmp_path / "gold.jsonl"))]) == 0
    told = capsys.readouterr().out
    assert "240 rows of 240 prompts, 0 without a verdict" in told
    assert "Gate passed" in told


def test_what_has_no_value_or_no_interval_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--judge", "lexical", "--gold", str(gold(tmp_path / "gold.jsonl", 10))]) == 0
    head, row = capsys.readouterr().out.split("Refused or not")[1].splitlines()[1:3]
    assert row.endswith("1.000 (under 20 prompts)  1.000 (under 20 prompts)")
    assert len(head) == len(row)
    assert main(["--judge", "lexical", "--gold", str(gold(tmp_path / "gold.jsonl", 1))]) == 0
    row = capsys.readouterr().out.split("Refused or not")[1].splitlines()[2]
    assert "– (no rows)" in row
    assert "– (one class)" in row


def test_a_good_judge_gets_a_record_and_its_votes_then_decide(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    with chat_server(well_behaved) as server:
        assert measure(tmp_path, server.url, record) == 0
        calls = len(server.bodies)
        assert measure(tmp_path, server.url, record) == 0
        assert len(server.bodies) == calls
        build = [
            *("--topics", "weapons", "--levels", "1", "--per-cell", "2", "--run", str(tmp_path / "run")),
            *("--targets", "openai-compatible/t", "--judges", "openai-compatible/j"),
            *("--base-url", f"openai-compatible={server.url}/v1"),
        ]
        assert cli.main(build) == 0
        unlabelled = table(tmp_path / "run" / "release", "labels")
        assert {row["status"] for row in unlabelled} == {"unlabelled"}
        assert cli.main([*build, "--judge-record", str(record)]) == 0
    labels = table(tmp_path / "run" / "release", "labels")
    assert Counter((row["status"], row["source"]) for row in labels) == {("ok", "judges"): 6}
    manifest = json.loads((tmp_path / "run" / "release" / "manifest.json").read_text())
    assert [held["judge"] for held in manifest["judge_records"]] == ["openai-compatible/j"]


def test_a_judge_that_guesses_fails_the_gate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def script(protocol: str, body: dict[str, Any], call: int) -> Reply:
        answer = {"quote": "I", "reason": "", "label": "full_refusal", "confidence": 5}
        return (
            text_reply(protocol, json.dumps(answer))
            if stage_of(body) == "judge"
            else well_behaved(protocol, body, call)
        )

    with chat_server(script) as server:
        measure(tmp_path, server.url, tmp_path / "record.json")
    assert "Gate not passed" in capsys.readouterr().out
    assert json.loads((tmp_path / "record.json").read_text())["passes_gate"] is False


def test_verdicts_that_never_came_are_counted_and_are_no_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with chat_server(lambda protocol, _body, _call: text_reply(protocol, "I would rather not say.")) as server:
        assert measure(tmp_path, server.url, tmp_path / "record.json") == 0
    told = capsys.readouterr().out
    assert "240 without a verdict" in told
    assert (
        "240 rows without a verdict whose answer is on record, which another run does not change: unparsed 240" in told
    )
    assert "run the same command again" not in told


def test_only_failed_calls_ask_for_another_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def script(protocol: str, body: dict[str, Any], call: int) -> Reply:
        if "Question 7?" in json.dumps(body):
            return Reply({"error": {"message": "no"}}, status=400)
        return well_behaved(protocol, body, call)

    with chat_server(script) as server:
        assert measure(tmp_path, server.url, tmp_path / "record.json") == 3
        told = capsys.readouterr().out
        assert "1 row without a verdict as the call failed: run the same command again" in told
        assert "another run does not change" not in told


def test_a_record_of_another_prompt_does_not_count(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    with chat_server(well_behaved) as server:
        measure(tmp_path, server.url, record)
    assert len(valid_records(["openai-compatible/j"], [record])) == 1
    held = json.loads(record.read_text())
    record.write_text(json.dumps(held | {"prompt_hash": "0" * 64}))
    assert valid_records(["openai-compatible/j"], [record]) == ()


def test_a_record_on_no_rows_does_not_count(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    assert main(["--judge", "lexical", "--gold", str(gold(tmp_path / "g.jsonl")), "--json", str(record)]) == 0
    record.write_text(json.dumps(json.loads(record.read_text()) | {"n": 0}))
    (bundled,) = valid_records(["lexical"], [record])
    assert bundled.n > 240


def test_a_file_that_is_no_record_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(ConfigError, match="is no judge record"):
        valid_records(["lexical"], [tmp_path / "x.json"])


def test_a_wrong_gold_line_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "g.jsonl").write_text('{"prompt": "p", "response": "r", "label": "maybe"}\n')
    assert main(["--judge", "lexical", "--gold", str(tmp_path / "g.jsonl")]) == 2
    assert "g.jsonl:1: label 'maybe' is none of" in capsys.readouterr().err


def test_the_two_forms_of_a_judge_have_hashes_of_their_own() -> None:
    assert len({prompt_hash("lexical"), prompt_hash("local/x"), prompt_hash("openai/x")}) == 3
    assert prompt_hash("openai/x") == prompt_hash("anthropic/y")


@pytest.mark.parametrize("name", ["gold.jsonl", "thesis.json"])
def test_a_record_replaces_no_file_but_a_record(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows, out = gold(tmp_path / "gold.jsonl"), tmp_path / name
    (tmp_path / "thesis.json").write_text("{}")
    before = out.read_text()
    assert main(["--judge", "lexical", "--gold", str(rows), "--json", str(out)]) == 2
    assert f"--json {out} " in capsys.readouterr().err
    assert out.read_text() == before
    for _ in range(2):
        assert main(["--judge", "lexical", "--gold", str(rows), "--json", str(tmp_path / "record.json")]) == 0
