"""The analysis inside a release: the same bytes each time, and the same numbers for whoever downloads it."""

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import analysis
from hub_card.checks.numbers import check_numbers
from hub_card.facts import Report
from hub_card.layout import files_of
from hub_card.release import write_release
from hub_card.validate import validate_release
from hub_card.validate_cli import main
from tests.hub_card import rows, seal


def analysis_report(release: Path) -> Report:
    summary = analysis.run(release, release / "report")
    return Report(summary.tables["headline"], {"report/figures/confusion.svg": "Predicted and done"})


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built, release = rows.tables(), tmp_path_factory.mktemp("reported") / "release"
    write_release(built, rows.facts(built), release, analysis_report)
    return release


def test_the_shipped_analysis_reproduces_the_shipped_report(tmp_path: Path) -> None:
    built = rows.tables()
    write_release(built, rows.facts(built), tmp_path / "release", analysis_report)
    copy = tmp_path / "elsewhere" / "0123abc"
    shutil.copytree(tmp_path / "release", copy)
    command = [sys.executable, "-m", "analysis", "--out", str(tmp_path / "again")]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shipped, again = (folder / "summary.json" for folder in (tmp_path / "release" / "report", tmp_path / "again"))
    assert shipped.read_bytes() == again.read_bytes()


def test_a_release_with_its_report_is_sound_and_the_same_each_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        built = rows.tables()
        write_release(built, rows.facts(built), tmp_path / name / "release", analysis_report)
    one, two = tmp_path / "one" / "release", tmp_path / "two" / "release"
    assert [name for name in files_of(one) if (one / name).read_bytes() != (two / name).read_bytes()] == []
    assert main([str(one), "--numbers"]) == 0
    card = (one / "README.md").read_text()
    assert "| target | n | accuracy | majority accuracy | base rate | d prime | criterion |" in card
    assert "![Predicted and done](report/figures/confusion.svg)" in card


def test_a_report_written_into_a_finished_release_is_one_problem(tmp_path: Path) -> None:
    built = rows.tables()
    write_release(built, rows.facts(built), tmp_path / "release")
    analysis_report(tmp_path / "release")
    (problem,) = validate_release(tmp_path / "release")
    assert problem.file == "report/"
    assert "files are not listed in SHA256SUMS" in problem.rule


@pytest.mark.parametrize(
    ("file", "old", "new", "place"),
    [
        ("report/summary.json", '"n_rows": 48', '"n_rows": 47', ""),
        ("report/tables/confusion.csv", "openai/beta", "openai/gamma", ""),
        ("README.md", "48 rows (target", "47 rows (target", "summary"),
        ("README.md", ", n = ", ", n = 1", "headline numbers"),
        ("README.md", "by people", "by judges", "labels"),
        ("README.md", "Withheld here: ", "Withheld here: 1", "tier"),
    ],
)
def test_a_number_that_rows_do_not_give_is_caught_though_the_hashes_agree(
    reported: Path, tmp_path: Path, file: str, old: str, new: str, place: str
) -> None:
    release = tmp_path / "release"
    shutil.copytree(reported, release)
    text = (release / file).read_text()
    assert old in text
    (release / file).write_text(text.replace(old, new, 1))
    seal.seal(release)
    assert validate_release(release) == []
    assert [(problem.file, problem.place) for problem in check_numbers(release)] == [(file, place)]


HOSTILE = "m\x1b[31m\x9b2J\u202e`](http://x)\r\n# Ours | <b>"


def test_a_model_s_name_that_a_server_made_up_acts_on_no_reader(tmp_path: Path) -> None:
    built = rows.tables()
    named = {
        name: [replace(row, served_model=HOSTILE, stop_reason=HOSTILE) if row.outcome else row for row in built[name]]
        for name in ("responses", "attempts")
    }
    built = {**built, **named}
    served = dict.fromkeys(rows.TARGETS, (HOSTILE,))
    write_release(built, rows.facts(built, targets=served), tmp_path / "release", analysis_report)
    assert validate_release(tmp_path / "release") == []
    texts = [path for path in (tmp_path / "release").rglob("*") if path.suffix in (".md", ".json", ".html", ".cff")]
    assert len(texts) > 5
    for path in texts:
        assert not set(path.read_text(encoding="utf-8")) & set("\x1b\x9b\u202e"), path
    text = (tmp_path / "release" / "README.md").read_text()
    assert "`m\ufffd[31m\ufffd2J\ufffd'](http://x) # Ours \\| &lt;b>`" in text
