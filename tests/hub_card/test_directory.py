"""Publishing into a directory: versions side by side, none of which ever changes."""

from pathlib import Path

import pytest

from hub_card.cli import main
from hub_card.release import write_release
from tests.hub_card import rows


def built(place: Path, samples: int = 1, version: str = "1.0.0") -> str:
    tables = rows.tables(samples)
    write_release(tables, rows.facts(tables, version=version), place)
    return str(place)


def test_versions_lie_side_by_side_and_never_change(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shelf = str(tmp_path / "shelf")
    first = built(tmp_path / "first")
    assert main([first, "--to", shelf]) == 0
    assert "Published and verified" in capsys.readouterr().out
    assert main([first, "--to", shelf]) == 0
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
    assert "## 1.0.0\n\n- First release." in log


def test_an_unsound_release_is_not_published(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = built(tmp_path / "first")
    (tmp_path / "first" / "CITATION.cff").write_text("x")
    assert main([first, "--to", str(tmp_path / "shelf")]) == 1
    assert "is not sound" in capsys.readouterr().err
    assert not (tmp_path / "shelf").exists()


@pytest.mark.parametrize("extra", [[], ["--to", "x", "--private"], ["--to", "x", "--repo", "a/b"], ["--repo", "a"]])
def test_wrong_usage_exits_with_2(extra: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["release", *extra])
    assert stopped.value.code == 2
