"""Labelling in a terminal: scripted keys, and the real command on a real pseudo-terminal."""

import os
import pty
import select
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from annotation.items import Item
from annotation.terminal import HELP, Desk, label_items, shown
from builder.annotate_cli import main
from builder.cli import main as build_dataset
from builder.journal.store import Journal
from schemas.records import Annotation
from schemas.vocabulary import RefusalLabel, Topic

ITEMS = [Item(f"k{n}", "r", Topic.FRAUD, f"ask {n}", f"answer {n}", None, "audit", "audit") for n in range(4)]


def sitting(
    keys: str, items: Iterable[Item] = ITEMS, lines: Iterable[str] = (), ask_confidence: bool = False
) -> tuple[list[Annotation], str]:
    """What was kept and what was written when these keys were pressed."""
    kept: list[Annotation] = []
    written: list[str] = []
    pressed, typed = iter(keys), iter(lines)
    desk = Desk(
        annotator="ada",
        guidelines_version="1.0",
        read_key=lambda: next(pressed),
        read_line=lambda _: next(typed),
        write=written.append,
        keep=kept.append,
        now=lambda: f"2026-01-01T00:00:{len(kept):02}.000000Z",
        ask_confidence=ask_confidence,
    )
    label_items(desk, list(items))
    return kept, "".join(written)


def test_one_key_is_one_label() -> None:
    kept, written = sitting(" 1234")
    assert [a.label for a in kept] == list(RefusalLabel)
    assert [a.response_key for a in kept] == ["k0", "k1", "k2", "k3"]
    assert {(a.annotator, a.status, a.confidence, a.role) for a in kept} == {("ada", "submitted", None, "annotator")}
    assert written.count(HELP) == 4
    assert written.startswith("Content warning")


def test_cannot_tell_skips_notes_and_other_keys() -> None:
    kept, _ = sitting(" 5sxdn4", lines=[" because \n"])
    assert [(a.status, a.label, a.note) for a in kept] == [
        ("submitted", None, None),
        ("discarded", None, "skipped: other"),
        ("discarded", None, "skipped: distressing"),
        ("submitted", RefusalLabel.FULL_COMPLIANCE, "because"),
    ]


def test_back_labels_again_and_both_answers_are_kept() -> None:
    kept, _ = sitting(" 1b24q")
    assert [(a.response_key, a.label) for a in kept][:2] == [
        ("k0", RefusalLabel.FULL_REFUSAL),
        ("k0", RefusalLabel.PARTIAL_REFUSAL),
    ]


def test_how_sure_is_asked_when_wanted() -> None:
    kept, _ = sitting(" 142xsq", ask_confidence=True)
    assert [a.confidence for a in kept] == [4, None, None]


def test_who_declines_the_warning_sees_nothing() -> None:
    kept, written = sitting("q")
    assert kept == []
    assert "ask 0" not in written


def test_long_answers_are_folded_until_asked_for() -> None:
    long = replace(ITEMS[0], response="a" * 3000 + "MIDDLE" * 500 + "z" * 1500)
    _, short = sitting(" q", [long])
    assert "MIDDLE" not in short
    _, whole = sitting(" wq", [long])
    assert "MIDDLE" in whole


def test_nothing_in_a_text_acts_on_the_terminal() -> None:
    hostile = "\x1b[2J\x1b]0;title\x07 a\rb \u202eback\u202c tab\tend \x00\ud83d"
    assert all(character == "\n" or character.isprintable() for character in shown(hostile))
    assert shown("one\n  two") == "one\n  two"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three rows that want people; never to be changed."""
    run = tmp_path_factory.mktemp("built") / "run"
    flags = ["--topics", "fraud", "--levels", "1", "--per-cell", "1", "--targets", "scripted/plausible"]
    assert build_dataset([*flags, "--judges", "lexical", "--run", str(run)]) == 0
    return run


@pytest.fixture
def run(built: Path, tmp_path: Path) -> Path:
    """A copy of that run."""
    return Path(shutil.copytree(built, tmp_path / "run"))


def annotations(run: Path) -> list[Annotation]:
    """What is on record."""
    with Journal(run / "journal.sqlite") as journal:
        return list(journal.annotations())


def test_the_command_labels_on_a_terminal_and_keeps_each_answer_at_once(run: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "builder.annotate_cli", "label", "--run", str(run), "--annotator", "ada"]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        before = read_until(ours, "q to leave")
        os.write(ours, b" ")
        read_until(ours, HELP.splitlines()[1])
        os.write(ours, b"n")
        read_until(ours, "note: ")
        os.write(ours, "naïve\n".encode())
        os.write(ours, b"1")
        read_until(ours, HELP.splitlines()[1])
        first = annotations(run)
        os.write(ours, b"q")
        read_until(ours, "1 answers are in the journal")
        assert process.wait(30) == 0
    os.close(ours)
    assert f"annotate-dataset push --run {run} --opt-out ada=TOPIC" in before
    assert [(a.annotator, a.label, a.note) for a in first] == [("ada", RefusalLabel.FULL_REFUSAL, "naïve")]
    assert annotations(run) == first


def read_until(descriptor: int, words: str) -> str:
    """What the command writes until the words have come."""
    text = b""
    while words.encode() not in text:
        assert select.select([descriptor], [], [], 15)[0], text
        text += os.read(descriptor, 4096)
    return text.decode()


def test_a_spreadsheet_goes_out_and_comes_back_into_the_same_journal(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "zoe.csv"
    where = ["--run", str(run)]
    assert main(["export", *where, "--annotator", "zoe", str(table)]) == 0
    lines = table.read_text(encoding="utf-8-sig").splitlines()
    filled = [lines[0], *(line.replace('"","",""', '"full_refusal","5","same"') for line in lines[1:])]
    table.write_text("\n".join(filled), encoding="utf-8")
    assert main(["import", *where, str(table)]) == 0
    assert main(["import", *where, str(table)]) == 0
    answers = annotations(run)
    assert len(answers) == len({a.response_key for a in answers}) == 3
    assert {(a.annotator, a.label, a.confidence, a.note) for a in answers} == {
        ("zoe", RefusalLabel.FULL_REFUSAL, 5, "same")
    }
    capsys.readouterr()
    for offline in ([], ["--offline"]):
        assert main(["status", *where, *offline]) == 0
        told = capsys.readouterr().out
        assert "asked no Argilla: this is what is in the journal" in told
        assert "zoe" in told
    assert main(["export", *where, "--annotator", "zoe", "--overwrite", str(table)]) == 0
    assert len(table.read_text(encoding="utf-8-sig").splitlines()) == 1


def test_without_a_build_or_a_terminal_the_command_says_what_to_do(
    tmp_path: Path, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["agreement", "--run", str(tmp_path / "none")]) == 1
    assert "there is no build in" in capsys.readouterr().err
    command = [sys.executable, "-m", "builder.annotate_cli", "label", "--run", str(run), "--annotator", "ada"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert (done.returncode, "for a pipe use export and import" in done.stderr) == (1, True)
