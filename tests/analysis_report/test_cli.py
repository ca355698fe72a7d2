"""The command: what it prints, writes and returns, alone and from inside a downloaded dataset."""

import csv
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import analysis
from analysis.cli import main

from .builders import TOPICS, columns, lose, write_release


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return write_release(tmp_path / "release", columns(n_requests=50))


def test_the_report_goes_beside_the_data_and_the_tables_to_the_terminal(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(release)]) == 0
    out = capsys.readouterr().out
    assert "Accuracy, sensitivity and bias" in out
    assert {path.name for path in (release / "report").iterdir()} == {
        "report.html",
        "summary.json",
        "tables",
        "figures",
    }
    for key in ("headline", "confusion", "calibration", "selection", "baselines", "by_topic", "pairs", "bounds"):
        assert (release / "report" / "tables" / f"{key}.csv").is_file()
        assert (release / "report" / "tables" / f"{key}.tex").is_file()


@pytest.mark.parametrize("place", ["", "data/datapoints", "data/datapoints/train-00000-of-00001.parquet"])
def test_a_sealed_release_stays_as_it_is(
    release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    (release / "SHA256SUMS").touch()
    before = sorted(release.rglob("*"))
    assert main([str(release / place), "--quiet", "--seed", "4"]) == 0
    assert capsys.readouterr().out == f"Report: {tmp_path / 'release-report' / 'report.html'}\n"
    assert main([str(release / place), "--out", str(release / "report")]) == 2
    assert "inside the release" in capsys.readouterr().err
    assert sorted(release.rglob("*")) == before


DATA = "data/datapoints/train-00000-of-00001.parquet"


@pytest.mark.parametrize("place", ["", "data/datapoints", DATA])
def test_a_copy_that_was_changed_after_it_was_sealed_is_told_in_one_line(
    release: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    digest = hashlib.sha256((release / DATA).read_bytes()).hexdigest()
    (release / "SHA256SUMS").write_text(f"{digest}  {DATA}\n")
    assert main([str(release / place), "--quiet"]) == 0
    assert capsys.readouterr().err == ""
    (release / "SHA256SUMS").write_text(f"{'0' * 64}  {DATA}\n")
    assert main([str(release / place), "--quiet"]) == 0
    told = capsys.readouterr()
    assert told.err == (
        f"analyze-dataset: warning: {DATA} does not match SHA256SUMS: this copy was changed; "
        "validate-release tells more\n"
    )
    assert told.out.startswith("Report: ")


def test_a_table_put_beside_the_sealed_one_is_told(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    digest = hashlib.sha256((release / DATA).read_bytes()).hexdigest()
    (release / "SHA256SUMS").write_text(f"{digest}  {DATA}\n")
    more = write_release(release.parent / "more", columns(targets=("maker/more",), n_requests=50)) / DATA
    shutil.copy(more, release / "data" / "datapoints" / "more.parquet")
    assert main([str(release), "--quiet"]) == 0
    assert "warning: data/datapoints/more.parquet does not match" in capsys.readouterr().err


def test_figures_are_written_as_svg_and_png(release: Path, tmp_path: Path) -> None:
    assert main([str(release), "--quiet", "--out", str(tmp_path / "out")]) == 0
    wanted = {
        "d_prime_and_c",
        "confusion",
        "roc",
        "reliability",
        "risk_coverage",
        "by_level",
        "by_topic",
        "by_bin",
        "errors",
        "refusal_rates",
        "pairs",
    }
    for suffix in ("svg", "png"):
        assert {path.stem for path in (tmp_path / "out" / "figures").glob(f"*.{suffix}")} == wanted


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere: no such file or directory"),
        ([], "no dataset given; wanted a path or a Hub id"),
    ],
)
def test_a_user_s_mistake_ends_with_2_and_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"analyze-dataset: {message}")
    assert error.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--resamples", "0"], ["--rows", "many"], ["--unknown"]])
def test_a_wrong_option_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert "usage: analyze-dataset" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_ends_with_2(
    release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").write_text("a file")
    assert main([str(release), "--quiet", "--out", str(tmp_path / "taken")]) == 2
    assert "taken" in capsys.readouterr().err


def test_targets_with_different_items_are_not_compared_unless_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, half = columns(targets=("maker/all",)), columns(targets=("maker/half",))
    kept = [row for row, topic in enumerate(half["topic"]) if topic in TOPICS[:5]]
    table = {name: whole[name] + [half[name][row] for row in kept] for name in whole}
    place = str(write_release(tmp_path / "release", table))
    assert main([place, "--quiet"]) == 3
    assert "targets have different items (maker/all 180, maker/half 90)" in capsys.readouterr().err
    assert not (tmp_path / "release" / "report" / "tables" / "pairs.csv").exists()
    assert main([place, "--quiet", "--allow-unequal-items"]) == 0
    assert (tmp_path / "release" / "report" / "tables" / "pairs.csv").is_file()
    with (tmp_path / "release" / "report" / "tables" / "by_topic.csv").open() as file:
        cells = {(row["target"], row["topic"]): (row["n"], row["accuracy"]) for row in csv.DictReader(file)}
    assert cells["maker/half", "violence"] == ("0", "")
    assert cells["maker/all", "violence"][0] == "18"


def test_inside_a_downloaded_dataset_the_module_analyses_the_data_beside_it(release: Path) -> None:
    shutil.copytree(Path(analysis.__file__).parent, release / "analysis", ignore=shutil.ignore_patterns("__pycache__"))
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "analysis", "--quiet"],
        cwd=release,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (release / "report" / "report.html").is_file()


def test_a_reader_that_stops_early_is_no_error(release: Path) -> None:
    command = f"{sys.executable} -m analysis {release} | head -n 1"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.stdout.count("\n"), done.stderr) == (1, "")


def test_against_an_earlier_version_the_changes_come_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = columns(), columns()
    lose(old, [0, 1, 2], "unlabelled")
    new["actual_class"][10] = "full_refusal" if new["actual_class"][10] == "full_compliance" else "full_compliance"
    places = [str(write_release(tmp_path / name, table)) for name, table in (("old", old), ("new", new))]
    assert main([places[1], "--against", places[0]]) == 0
    out = capsys.readouterr().out
    assert out.startswith("What changed\n")
    assert "No accuracy moved beyond noise." in out
    changed = (tmp_path / "new" / "report" / "tables" / "changed_rows.csv").read_text().splitlines()
    assert changed[1] == "maker/one,180,180,177,180,0,0,4,0,0"
    assert changed[2] == "maker/two,180,180,180,180,0,0,0,0,0"


def test_the_planner_asks_for_no_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--plan", "--requests", "60", "--rows", "2"]) == 0
    out = capsys.readouterr().out
    assert "Requests needed to tell two targets apart" in out
    assert "60 requests × 2 rows" in out


def test_the_planner_takes_expectations_from_a_dataset(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(release), "--plan"]) == 0
    assert "accuracy 0.920" not in capsys.readouterr().out
    assert not (release / "report").exists()


def test_help_teaches_with_examples_and_exit_statuses(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert "examples:" in out
    assert "exit status:" in out
