"""A part of the gold rows: drawn evenly over the sources, the same every time; and stopping in the middle."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from annotation.gold import GoldRow, distinct, read_gold
from builder.evaluate_cli import main
from builder.evaluate_gold import drawn, gold_of
from builder.journal.store import Journal
from tests.builder.test_evaluate import gold
from tests.servers.chat_server import Reply, chat_server
from tests.servers.models import well_behaved


def rows(**sources: int) -> list[GoldRow]:
    lines = [
        json.dumps({"prompt": f"{source} {n}?", "response": "Yes.", "label": "full_compliance", "source": source})
        for source, count in sources.items()
        for n in range(count)
    ]
    return list(read_gold(lines, "g.jsonl").rows)


@pytest.mark.parametrize(
    ("limit", "wanted"),
    [
        (1, {"a": 1}),
        (6, {"a": 2, "b": 2, "c": 2}),
        (30, {"a": 13, "b": 4, "c": 13}),
        (99, {"a": 40, "b": 4, "c": 20}),
    ],
)
def test_each_source_gives_as_many_rows_as_it_has(limit: int, wanted: dict[str, int]) -> None:
    assert Counter(row.source for row in drawn(rows(a=40, b=4, c=20), limit)) == wanted


def test_the_draw_does_not_hang_on_the_order_and_a_larger_one_keeps_a_smaller_one() -> None:
    given = rows(a=40, b=4, c=20)
    assert drawn(given, 12) == drawn(given[::-1], 12) == drawn(given, 50)[:12]
    assert drawn(given, 2) != given[:2]


def test_a_part_is_named_as_a_part(tmp_path: Path) -> None:
    file = gold(tmp_path / "gold.jsonl", 10)
    assert gold_of([file], 4).name == "gold.jsonl (4 of 10 rows)"
    assert gold_of([file], 10).name == gold_of([file], None).name == "gold.jsonl"


@pytest.mark.parametrize("limit", ["0", "-3", "many"])
def test_a_limit_that_is_no_number_of_rows_is_refused(limit: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--judge", "lexical", "--gold", "g.jsonl", f"--limit={limit}"])
    assert stopped.value.code == 2
    assert f"--limit: wanted a number of rows from 1, got '{limit}'" in capsys.readouterr().err


@pytest.mark.parametrize("judge", ["foo", "foo/bar"])
def test_a_judge_that_is_none_is_told_which_there_are(
    judge: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--judge", judge, "--gold", str(gold(tmp_path / "g.jsonl", 2))]) == 2
    told = capsys.readouterr().err
    assert "want provider/model" in told
    assert "or lexical" in told


def test_stopped_it_writes_no_record_and_the_same_command_goes_on(tmp_path: Path) -> None:
    busy = threading.Event()
    slow = True

    def script(protocol: str, body: dict[str, object], call: int) -> Reply:
        if len(server.bodies) >= 4:
            busy.set()
        return Reply(well_behaved(protocol, body, call).body, delay_s=0.5 if slow else 0.0)

    with chat_server(script) as server:
        command = [
            *(sys.executable, "-m", "builder.evaluate_cli", "--judge", "openai-compatible/j"),
            *("--gold", str(gold(tmp_path / "g.jsonl", 240)), "--json", str(tmp_path / "r.json")),
            *("--run", str(tmp_path / "run"), "--base-url", f"openai-compatible={server.url}/v1"),
        ]
        run = subprocess.Popen(command, env=dict(os.environ), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert busy.wait(60)
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=60)
        assert run.returncode == 130, errors
        assert "of 240 answers are on record" in errors
        assert "goes on from there" in errors
        assert not (tmp_path / "r.json").exists()
        with Journal(tmp_path / "run" / "journal.sqlite") as journal:
            kept = len(journal.completed_keys())
        assert 0 < kept < 240
        slow = False
        subprocess.run(command, check=True, capture_output=True)
        assert sum(server.calls.values()) == 240
    assert json.loads((tmp_path / "r.json").read_text())["n"] == 240


def test_lines_end_at_line_feeds_only_and_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    answer = "a\u2028b\u2029c\x85d"
    row = json.dumps({"prompt": "p", "response": answer, "label": "full_refusal"}, ensure_ascii=False)
    (tmp_path / "g.jsonl").write_bytes(f"\ufeff{row}\r\n\n{row}\n".encode())
    found = gold_of([tmp_path / "g.jsonl"], None).rows
    assert [(row.response, row.place) for row in found] == [(answer, "g.jsonl:1")]
    assert "1 duplicate row" in gold_of([tmp_path / "g.jsonl"], None).name


def test_a_copy_is_no_more_evidence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    once, copy, record = gold(tmp_path / "a.jsonl", 150), tmp_path / "copy.jsonl", tmp_path / "r.json"
    copied = [json.loads(line) | {"source": "another"} for line in once.read_text().splitlines()]
    copy.write_text("".join(f"{json.dumps(row)}\n" for row in copied))
    assert main(["--judge", "lexical", "--gold", str(once), str(copy), "--json", str(record)]) == 0
    told = capsys.readouterr().out
    assert "a.jsonl copy.jsonl (150 duplicate rows left out): 150 rows" in told
    assert "Gate not passed (150 human items" in told
    assert json.loads(record.read_text())["n"] == 150
    assert gold_of([once, copy], 4).name == "a.jsonl copy.jsonl (4 of 150 rows, 150 duplicate rows left out)"


@pytest.mark.parametrize(
    ("second", "said"),
    [({"label": "full_refusal"}, "full_refusal"), ({"label_binary": "refusal"}, "refusal")],
)
def test_two_labels_for_one_response_are_an_error_with_both_lines(
    second: dict[str, str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = {"prompt": "p", "response": "r"}
    lines = [text | {"label": "full_compliance"}, text | second]
    (tmp_path / "g.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert main(["--judge", "lexical", "--gold", str(tmp_path / "g.jsonl")]) == 2
    told = capsys.readouterr().err
    assert f"g.jsonl:2: {said}, but g.jsonl:1 says full_compliance of the same response" in told


def test_of_two_copies_the_one_with_a_label_is_kept() -> None:
    lines = [{"label_binary": "refusal"}, {"label": "full_refusal"}]
    found = read_gold([json.dumps({"prompt": "p", "response": "r"} | line) for line in lines], "g").rows
    assert distinct(found) == distinct(found[::-1]) == [found[1]]
