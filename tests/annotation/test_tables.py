"""The files of export and import: what is filled in is not lost, no file of a run is, and names are names."""

from pathlib import Path

import pytest

from builder.annotate_cli import main
from builder.cli import main as build_dataset
from builder.journal.store import Journal

KINDS = [[], ["--what", "paraphrases"]]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small build."""
    path = tmp_path_factory.mktemp("tables") / "run"
    small = ["--topics", "fraud", "--levels", "1", "--per-cell", "1", "--targets", "scripted/plausible"]
    assert build_dataset([*small, "--judges", "lexical", "--run", str(path)]) == 0
    return path


def export(run: Path, file: Path, *more: str) -> int:
    """The exit status of an export for zoe."""
    return main(["export", "--run", str(run), "--annotator", "zoe", *more, str(file)])


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_that_exists_is_kept_unless_told_otherwise(
    run: Path, tmp_path: Path, kind: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "zoe.csv"
    assert export(run, table, *kind) == 0
    table.write_text(f"{table.read_text(encoding='utf-8')}filled in", encoding="utf-8")
    assert export(run, table, *kind) == 2
    told = capsys.readouterr().err
    assert f"import --run {run} --annotator zoe {table}" in told
    assert "--overwrite" in told
    assert "filled in" in table.read_text(encoding="utf-8")
    assert export(run, table, *kind, "--overwrite") == 0
    assert "filled in" not in table.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["journal.sqlite", "settings.json", "run.lock", "release/data/x.csv", "new.json"])
def test_no_file_of_the_run_is_written_over(run: Path, name: str, kind: list[str]) -> None:
    before = (run / name).read_bytes() if (run / name).exists() else None
    assert export(run, run / name, *kind, "--overwrite") == 2
    assert ((run / name).read_bytes() if (run / name).exists() else None) == before


def test_overwrite_replaces_tables_alone(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "thesis.csv").write_text("a,b\n")
    assert export(run, tmp_path / "thesis.csv", "--overwrite") == 2
    assert "is no table of this command" in capsys.readouterr().err
    assert (tmp_path / "thesis.csv").read_text() == "a,b\n"


def test_a_file_name_that_is_no_annotator_is_not_taken_for_one(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "zoe (1).csv"
    assert export(run, table) == 0
    assert main(["import", "--run", str(run), str(table)]) == 2
    assert (
        "'zoe (1)', from the name of the file, is no name of an annotator: give --annotator" in capsys.readouterr().err
    )


def test_an_empty_table_says_why_it_is_empty(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, other = tmp_path / "zoe.csv", tmp_path / "other"
    assert export(run, table) == 0
    text = table.read_text(encoding="utf-8")
    table.write_text(text.replace('"","",""', '"skip","",""'), encoding="utf-8")
    assert main(["import", "--run", str(run), str(table)]) == 0
    capsys.readouterr()
    assert export(run, tmp_path / "none.csv") == 0
    told = capsys.readouterr().out
    count = text.count('"","",""')
    assert f"of {count} responses for people zoe has answered or skipped {count}, 0 are of topics" in told
    assert "Fill in" not in told
    other.mkdir()
    with Journal(other / "journal.sqlite"):
        pass
    (other / "settings.json").write_text((run / "settings.json").read_text())
    assert export(other, tmp_path / "nobody.csv") == 0
    assert "no response is on record for the run's present targets" in capsys.readouterr().out
