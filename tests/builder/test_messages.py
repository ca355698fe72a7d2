"""What the commands tell a newcomer: equal counts everywhere, lines to paste, no invented pace, help that teaches."""

import argparse
import csv
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.cli import parser as analyze
from builder.annotate_cli import main as annotate_dataset
from builder.annotate_options import parser as annotate
from builder.cli import main as build_dataset
from builder.evaluate_options import parser as evaluate
from builder.journal_cli import parser as journal
from builder.options import parser as build
from builder.prices import price_of
from builder.providers.local.weights import KNOWN
from hub_card.cli import parser as publish
from hub_card.validate_cli import parser as validate
from schemas.config import BuildConfig
from schemas.model_name import PROVIDERS

Parser = Callable[[], argparse.ArgumentParser]
SLICE = ["--topics", "fraud,drugs", "--levels", "1-2", "--per-cell", "1", "--targets", "scripted/plausible"]
PEOPLE = re.compile(r"for people +(\d+ responses: routed (\d+) \+ audit sample (\d+))")


def built(run: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> str:
    """What a build of a small slice says at its end."""
    assert build_dataset([*SLICE, "--run", str(run), *flags]) == 0
    return capsys.readouterr().out


def annotated(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What `annotate-dataset` says."""
    assert annotate_dataset(words) == 0
    return capsys.readouterr().out


def test_both_commands_count_the_same_responses_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = PEOPLE.search(built(tmp_path, capsys, "--judges", "lexical", "--accept-judge", "lexical"))
    status = PEOPLE.search(annotated(capsys, "status", "--offline", "--run", str(tmp_path)))
    assert told is not None
    assert status is not None
    assert told[1] == status[1]
    assert int(told[3]) > 0


def test_lines_to_paste_survive_spaces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "my run"
    told = built(run, capsys, "--judges", "lexical")
    look = next(line.partition("tables:")[2] for line in told.splitlines() if "tables:" in line)
    assert shlex.split(look)[1:] == [str(run / "release")]
    table = str(run / "ada's table.csv")
    told = annotated(capsys, "export", "--run", str(run), "--annotator", "ada", table)
    assert shlex.split(told.splitlines()[-1])[1:] == ["import", "--run", str(run), "--annotator", "ada", table]


def test_answers_from_a_spreadsheet_carry_no_pace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    built(tmp_path, capsys, "--judges", "lexical")
    for person in ("ada", "ben"):
        table = tmp_path / f"{person}.csv"
        annotated(capsys, "export", "--run", str(tmp_path), "--annotator", person, str(table))
        fill(table)
        annotated(capsys, "import", "--run", str(tmp_path), str(table))
    status = annotated(capsys, "status", "--offline", "--run", str(tmp_path))
    assert "nobody labelled in the last hour" in status
    assert "from a spreadsheet, which says nothing of pace" in status
    assert "labels an hour" not in status
    agreement = annotated(capsys, "agreement", "--run", str(tmp_path))
    assert "labelled in a spreadsheet are in no stretch of time" in agreement
    assert " to 20" not in agreement


def test_a_refused_connection_is_said_without_a_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    built(tmp_path, capsys, "--judges", "lexical")
    monkeypatch.setenv("ARGILLA_API_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("ARGILLA_API_KEY", "any")
    assert annotate_dataset(["push", "--run", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert "no Argilla answers at http://127.0.0.1:9" in told
    assert "Errno" not in told


def fill(table: Path) -> None:
    """Label every line as a full refusal."""
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(row | {"label": "full_refusal"} for row in rows)


@pytest.mark.parametrize("parser", [build, annotate, publish, analyze, validate, evaluate, journal])
def test_help_gives_examples_exit_codes_and_a_word_on_every_flag(parser: Parser) -> None:
    command = parser()
    told = command.format_help()
    assert "exit status:" in told
    assert f"  {command.prog} " in f"{command.epilog}{command.description}"
    assert all(action.help and not action.help.startswith("(") for action in options_of(command))


def options_of(command: argparse.ArgumentParser) -> list[argparse.Action]:
    """Every flag and place of a command and of its verbs."""
    found = []
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            for verb in action.choices.values():
                found += options_of(verb)
        else:
            found.append(action)
    return found


def test_help_names_every_provider_and_every_local_model() -> None:
    told = build().format_help()
    assert not [name for name in PROVIDERS if f"{name}/" not in told]
    assert not [name for name in KNOWN if f"local/{name}" not in told]


@pytest.mark.parametrize("parser", [build, evaluate])
def test_every_model_that_help_names_has_a_price(parser: Parser) -> None:
    told = re.findall(r"\b(?:anthropic|openai|together|openrouter)/[a-z][\w.-]*", parser().format_help())
    assert [name for name in told if price_of(name, BuildConfig()) is None] == []
