"""The release directory: what is in it, that it loads, and that the same rows give the same bytes."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from hub_card.facts import ReleaseError, Report
from hub_card.layout import CONFIGS, files_of, parquet_path
from hub_card.papers import checksums
from hub_card.release import write_release
from schemas.rows import TABLES
from schemas.tables import features_of
from tests.hub_card import rows

LOAD = """
import json, sys, datasets
datasets.disable_progress_bars()
path = sys.argv[1]
found = {}
for config in datasets.get_dataset_config_names(path):
    loaded = datasets.load_dataset(path, config)
    assert list(loaded) == ["train"], loaded
    found[config] = [loaded["train"].num_rows, loaded["train"].features.to_dict(), str(loaded["train"].version)]
found[""] = [datasets.load_dataset(path)["train"].num_rows, {}, ""]
print(json.dumps(found))
"""


def load(path: Path, home: Path) -> dict[str, list[object]]:
    environment = {**os.environ, "HF_HOME": str(home), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run([sys.executable, "-c", LOAD, str(path)], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    loaded: dict[str, list[object]] = json.loads(done.stdout)
    return loaded


@pytest.fixture
def release(tmp_path: Path) -> Path:
    built = rows.tables()
    write_release(built, rows.facts(built), tmp_path / "release")
    return tmp_path / "release"


@pytest.mark.parametrize("kind", ["full", "sparse"])
def test_every_config_loads_in_a_fresh_process_with_its_types(tmp_path: Path, kind: str) -> None:
    built = rows.tables() if kind == "full" else rows.sparse()
    summary = write_release(built, rows.facts(built), tmp_path / "release")
    loaded = load(tmp_path / "release", tmp_path / "home")
    assert loaded.pop("")[0] == len(built["datapoints"])
    assert list(loaded) == [config for config in CONFIGS if built[config]]
    for config, (count, features, version) in loaded.items():
        assert count == len(built[config]) == summary.rows[config]
        assert features == features_of(TABLES[config]).to_dict()
        assert version == "1.0.0"


def test_a_table_without_rows_is_a_typed_file_and_not_a_config(tmp_path: Path) -> None:
    built = rows.sparse()
    write_release(built, rows.facts(built), tmp_path / "release")
    table = pq.read_table(tmp_path / "release" / parquet_path("annotations"))
    assert table.num_rows == 0
    assert table.schema == features_of(TABLES["annotations"]).arrow_schema


def test_a_build_without_datapoints_is_refused(tmp_path: Path) -> None:
    built = {**rows.tables(), "datapoints": []}
    with pytest.raises(ReleaseError, match="nothing to release"):
        write_release(built, rows.facts(built), tmp_path / "release")


def test_a_newer_version_in_a_directory_of_the_same_name_is_not_served_from_the_cache(tmp_path: Path) -> None:
    built = rows.tables()
    fewer = {**built, "attempts": built["attempts"][:3]}
    write_release(fewer, rows.facts(fewer), tmp_path / "old" / "release")
    write_release(built, rows.facts(built, version="1.1.0"), tmp_path / "new" / "release")
    old, new = (load(tmp_path / age / "release", tmp_path / "home") for age in ("old", "new"))
    assert old["attempts"][0] == 3
    assert new["attempts"][0] == len(built["attempts"])


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        built = rows.tables()
        write_release(built, rows.facts(built), tmp_path / name)
    one, two = tmp_path / "one", tmp_path / "two"
    assert files_of(one) == files_of(two)
    assert all((one / name).read_bytes() == (two / name).read_bytes() for name in files_of(one))


def test_a_release_replaces_the_one_before_and_leaves_nothing_beside_it(tmp_path: Path, release: Path) -> None:
    built = rows.tables()
    (release / "stale.txt").write_text("old")
    (release / "SHA256SUMS").write_text(checksums(release))
    write_release(built, rows.facts(built, version="1.0.1"), release)
    assert not (release / "stale.txt").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_a_directory_that_is_no_release_is_never_replaced(tmp_path: Path) -> None:
    precious = tmp_path / "home"
    precious.mkdir()
    (precious / "thesis.md").write_text("years of work")
    built = rows.tables()
    with pytest.raises(ReleaseError, match="is no release"):
        write_release(built, rows.facts(built), precious)
    assert (precious / "thesis.md").read_text() == "years of work"


def test_a_file_of_the_user_in_the_release_stops_the_new_one_until_it_is_moved(tmp_path: Path, release: Path) -> None:
    built = rows.tables()
    for name in ("mynotes.txt", "data/labels/mine.csv", ".git/config"):
        (release / name).parent.mkdir(exist_ok=True)
        (release / name).write_text("years of work")
    (release / "analysis" / "__pycache__").mkdir()
    (release / "analysis" / "__pycache__" / "cli.pyc").touch()
    before = checksums(release)
    with pytest.raises(
        ReleaseError, match=r"delete them: \.git/config, data/labels/mine\.csv, mynotes\.txt\. Move them"
    ):
        write_release(built, rows.facts(built, version="1.0.1"), release)
    assert checksums(release) == before
    assert [path.name for path in tmp_path.iterdir()] == ["release"]
    (release / "mynotes.txt").rename(tmp_path / "mynotes.txt")
    (release / "data" / "labels" / "mine.csv").unlink()
    (release / ".git" / "config").unlink()
    write_release(built, rows.facts(built, version="1.0.1"), release)
    assert '"version": "1.0.1"' in (release / "manifest.json").read_text()


def test_a_file_that_comes_while_the_release_is_made_is_not_lost(release: Path) -> None:
    built = rows.tables()

    def slow(_: Path) -> Report:
        (release / "mynotes.txt").write_text("years of work")
        return Report()

    with pytest.raises(ReleaseError, match=r"mynotes\.txt\. Move them"):
        write_release(built, rows.facts(built), release, report=slow)
    assert (release / "mynotes.txt").read_text() == "years of work"


@pytest.mark.parametrize("name", ["manifest.json", "notes/manifest.json"])
def test_a_directory_of_somebody_else_s_manifest_is_never_replaced(tmp_path: Path, name: str) -> None:
    (tmp_path / "home" / name).parent.mkdir(parents=True)
    (tmp_path / "home" / name).write_text("{}")
    built = rows.tables()
    with pytest.raises(ReleaseError, match=r"not of the release|is no release"):
        write_release(built, rows.facts(built), tmp_path / "home")
    assert (tmp_path / "home" / name).read_text() == "{}"


def test_a_failed_build_leaves_the_old_release_as_it_was(tmp_path: Path, release: Path) -> None:
    before = checksums(release)
    built = rows.tables()

    def broken(_: Path) -> None:
        raise ReleaseError("the report failed")

    with pytest.raises(ReleaseError, match="the report failed"):
        write_release(built, rows.facts(built), release, report=broken)  # type: ignore[arg-type]
    assert checksums(release) == before
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_missing_and_unknown_tables_are_named(tmp_path: Path) -> None:
    built = rows.tables()
    del built["labels"]
    with pytest.raises(ReleaseError, match="want the tables datapoints"):
        write_release(built, rows.facts(built), tmp_path / "release")


def test_parquet_files_carry_their_class_names(release: Path) -> None:
    schema = pq.read_schema(release / parquet_path("labels"))
    stored = json.loads(schema.metadata[b"huggingface"])["info"]["features"]
    assert stored["status"]["names"] == ["ok", "unlabelled", "blocked", "truncated", "empty", "error"]


def test_checksums_are_those_of_sha256sum(release: Path) -> None:
    done = subprocess.run(["sha256sum", "-c", "--strict", "--quiet", "SHA256SUMS"], cwd=release, capture_output=True)  # noqa: S607
    assert done.returncode == 0, done.stderr
    assert (release / "SHA256SUMS").read_text() == checksums(release)


def test_the_analysis_is_shipped_without_leftovers(release: Path) -> None:
    assert (release / "analysis" / "__init__.py").is_file()
    assert not [
        path for path in (release / "analysis").rglob("*") if path.name == "__pycache__" or path.suffix == ".pyc"
    ]
    assert not list(release.glob("*.py"))


def test_a_half_surrogate_from_a_server_does_not_stop_a_release(tmp_path: Path) -> None:
    built = rows.tables()
    built["responses"] = [replace(built["responses"][0], text="half \ud800 pair"), *built["responses"][1:]]
    write_release(built, rows.facts(built), tmp_path / "release")
    first = pq.ParquetFile(tmp_path / "release" / parquet_path("responses")).read()["text"][0].as_py()
    assert first == "half � pair"
