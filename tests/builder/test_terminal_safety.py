"""Nothing that a model, a provider or a file says acts on the terminal or names a file outside its place."""

import json
import unicodedata
from pathlib import Path

import pytest

from builder.cli import main as build_dataset
from builder.evaluate_cli import main as evaluate_judge
from hub_card.problems import Problem
from tests.servers.chat_server import Reply, chat_server
from tests.servers.models import REFUSAL

HOSTILE = "\x1b[2J\x1b]0;owned\x07\u202egnp\u2066 \r\x9b1A"
SLICE = ["--topics", "fraud", "--levels", "1", "--per-cell", "1", "--judges", "lexical"]


def is_harmless(text: str) -> bool:
    """Whether nothing but line feeds and tabs could act on a terminal."""
    return all(c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs") for c in text)


def files_below(place: Path) -> set[str]:
    """Every file by its place."""
    return {str(path.relative_to(place)) for path in place.rglob("*") if path.is_file()}


def test_a_gold_file_with_hostile_names_is_shown_harmless(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"prompt": f"{n}?", "response": f"{REFUSAL} {n}", "label": "full_refusal", "source": HOSTILE, "target": HOSTILE}
        for n in range(4)
    ]
    gold = tmp_path / "gold.jsonl"
    gold.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    evaluate_judge(["--judge", "lexical", "--gold", str(gold)])
    told = capsys.readouterr().out
    assert "owned" in told
    assert is_harmless(told)


def test_what_a_provider_complains_of_is_shown_harmless(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = {"error": {"message": f"{HOSTILE}\nRelease: /etc", "type": HOSTILE, "code": HOSTILE}}
    with chat_server(lambda *_: Reply(status=401, body=body)) as server:
        address = f"openai-compatible={server.url}/v1"
        flags = ["--targets", "openai-compatible/m", "--base-url", address, "--run", str(tmp_path)]
        assert build_dataset([*SLICE, *flags]) == 3
    told = capsys.readouterr()
    assert "was given up" in told.out
    assert is_harmless(told.out + told.err)
    assert "Release: /etc" not in told.out.splitlines()


def test_a_problem_in_a_strangers_release_is_one_harmless_line() -> None:
    told = str(Problem("data.parquet", f"row {HOSTILE}", f"got {HOSTILE}\n/etc keeps every rule"))
    assert is_harmless(told)
    assert "\n" not in told


def test_the_name_of_a_target_names_no_file(tmp_path: Path) -> None:
    names = {}
    for folder, target in (("plain", "scripted/plausible"), ("hostile", "scripted/../../../x/$(id);é")):
        run = tmp_path / folder / "a" / "b" / "run"
        assert build_dataset([*SLICE, "--targets", target, "--run", str(run)]) == 0
        names[folder] = files_below(tmp_path / folder)
    assert names["hostile"] == names["plain"]
