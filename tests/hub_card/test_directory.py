"""Publishing into a directory: versions side by side, none of which ever changes."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from hub_card.cli import main
from hub_card.release import write_release
from hub_card.validate import validate_release
from schemas.vocabulary import ResponseStatus
from tests.hub_card import rows, seal


def built(place: Path, samples: int = 1, version: str = "1.0.0") -> str:
    tables = rows.tables(samples)
    write_release(tables, rows.facts(tables, version=version), place)
    return str(place)


def test_versions_lie_side_by_side_and_never_change(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shelf = str(tmp_path / "shelf")
    first = built(tmp_path / "first")
    assert main([first, "--to", shelf, "--date", "2026-11-01"]) == 0
    assert "Published and verified" in capsys.readouterr().out
    assert main([first, "--to", shelf, "--date", "2026-11-02"]) == 0
    assert main([built(tmp_path / "changed", samples=2), "--to", shelf]) == 1
    assert "published version never changes" in capsys.readouterr().err
    assert main([built(tmp_path / "patch", samples=2, version="1.0.1"), "--to", shelf]) == 1
    assert "Want at least 1.1.0" in capsys.readouterr().err
    assert main([built(tmp_path / "second", samples=2, version="1.1.0"), "--to", shelf]) == 0
    assert main([first, "--to", shelf]) == 1
    assert "1.1.0 is published" in capsys.readouterr().err
    assert sorted(path.name for path in (tmp_path / "shelf").iterdir()) == ["v1.0.0", "v1.1.0"]
    log = (tmp_path / "shelf" / "v1.1.0" / "CHANGELOG.md").read_text()
    assert "- `datapoints`: 48 rows became 96." in log
    assert "## 1.0.0 (2026-11-01)\n\n- First release." in log
    assert re.search(r"^## 1\.1\.0 \(\d{4}-\d\d-\d\d\)$", log, re.MULTILINE)


def test_a_dry_run_shows_what_would_be_done_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shelf, first = tmp_path / "shelf", built(tmp_path / "first")
    assert main([first, "--to", str(shelf), "--dry-run"]) == 0
    assert f"{shelf}/v1.0.0, the first release\n  1. copy " in capsys.readouterr().out
    assert not shelf.exists()
    assert main([first, "--to", str(shelf)]) == 0
    second = built(tmp_path / "second", samples=2, version="1.1.0")
    capsys.readouterr()
    assert main([second, "--to", str(shelf), "--dry-run"]) == 0
    told = capsys.readouterr().out
    assert "v1.1.0, after 1.0.0\n  changed: " in told
    assert "  changed: `datapoints`: 48 rows became 96.\n" in told
    assert main([first, "--to", str(shelf), "--dry-run"]) == 0
    assert capsys.readouterr().out.endswith(f"  1. verify {shelf}/v1.0.0\n")
    assert main([built(tmp_path / "low", samples=2), "--to", str(shelf), "--dry-run"]) == 1
    assert [path.name for path in shelf.iterdir()] == ["v1.0.0"]


def test_a_target_without_one_readable_response_is_not_published(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = rows.tables(cycle=(None,))
    lost = [replace(row, status=ResponseStatus.ERROR, route_reason=None) for row in tables["labels"]]
    mute = {row.response_key for row in tables["labels"] if row.target == rows.TARGETS[0]}
    gone = {
        "outcome": None,
        "served_model": None,
        "stop_reason": None,
        "text": None,
        "sha256": None,
        "characters": None,
    }
    tables = {
        **tables,
        "labels": [new if new.response_key in mute else row for row, new in zip(tables["labels"], lost, strict=True)],
        "responses": [replace(row, **gone) if row.response_key in mute else row for row in tables["responses"]],
        "judgments": [row for row in tables["judgments"] if row.response_key not in mute],
        "annotations": [],
    }
    tables = rows.routed({**tables, "attempts": [rows.attempt(row) for row in tables["responses"]]})
    write_release(tables, rows.facts(tables), tmp_path / "release")
    assert validate_release(tmp_path / "release") == []
    assert main([str(tmp_path / "release"), "--to", str(tmp_path / "shelf")]) == 1
    assert "no response of local/alpha can be read" in capsys.readouterr().err
    assert not (tmp_path / "shelf").exists()


def test_a_release_with_a_link_is_not_published(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = built(tmp_path / "first")
    (tmp_path / "secret").write_text("of this machine")
    (tmp_path / "first" / "CITATION.cff").unlink()
    (tmp_path / "first" / "CITATION.cff").symlink_to(tmp_path / "secret")
    seal.seal(tmp_path / "first")
    assert main([first, "--to", str(tmp_path / "shelf")]) == 1
    assert "CITATION.cff: a symbolic link" in capsys.readouterr().err
    assert not (tmp_path / "shelf").exists()


def test_an_unsound_release_is_not_published(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = built(tmp_path / "first")
    (tmp_path / "first" / "CITATION.cff").write_text("x")
    assert main([first, "--to", str(tmp_path / "shelf")]) == 1
    assert "is not sound" in capsys.readouterr().err
    assert not (tmp_path / "shelf").exists()


@pytest.mark.parametrize("inside", ["shelf", "shelf/deeper"])
@pytest.mark.parametrize("dry", [[], ["--dry-run"]])
def test_a_place_that_is_a_file_is_told_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], inside: str, dry: list[str]
) -> None:
    (tmp_path / "shelf").touch()
    with pytest.raises(SystemExit) as stopped:
        main([built(tmp_path / "first"), "--to", str(tmp_path / inside), *dry])
    assert stopped.value.code == 2
    assert f"--to {tmp_path / inside}: {tmp_path / 'shelf'} is a file" in capsys.readouterr().err


@pytest.mark.parametrize("place", ["release", "release/data", "release/new/shelf", "link/shelf", ".", "other/shelf"])
@pytest.mark.parametrize("dry", [[], ["--dry-run"]])
def test_a_place_in_a_release_or_its_run_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str, dry: list[str]
) -> None:
    release = built(tmp_path / "release")
    (tmp_path / "link").symlink_to(tmp_path / "release", target_is_directory=True)
    (tmp_path / "journal.sqlite").touch()
    built(tmp_path / "other")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(SystemExit) as stopped:
        main([release, "--to", str(tmp_path / place), *dry])
    assert stopped.value.code == 2
    assert "outside" in capsys.readouterr().err
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "extra",
    [
        [],
        ["--to", "x", "--private"],
        ["--to", "x", "--date", "1.1.26"],
        ["--to", "x", "--repo", "a/b"],
        ["--repo", "a"],
    ],
)
def test_wrong_usage_exits_with_2(extra: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["release", *extra])
    assert stopped.value.code == 2
