"""What others read a release with gives the rows that were written: values, class names, nulls and order."""

import subprocess
import sys
from pathlib import Path

from hub_card.layout import CONFIGS, parquet_path
from hub_card.release import write_release
from tests.hub_card import rows, seal

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "readers.py"


def read(release: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, str(SCRIPT), str(release)], capture_output=True, text=True)


def test_datasets_streaming_and_pandas_read_every_config_as_it_was_written(tmp_path: Path) -> None:
    tables = rows.tables()
    write_release(tables, rows.facts(tables), tmp_path / "release")
    done = read(tmp_path / "release")
    assert done.returncode == 0, done.stdout + done.stderr
    told = done.stdout.splitlines()
    assert [line.split(" ")[0] for line in told[:3]] == ["datasets", "datasets,", "pandas"]
    assert all(line.endswith(f": {len(CONFIGS)} configs, none differ") for line in told[:3])


def test_a_reader_that_sees_other_rows_is_told(tmp_path: Path) -> None:
    tables = rows.tables()
    write_release(tables, rows.facts(tables), tmp_path / "release")
    seal.cells(tmp_path / "release", "labels", "votes", lambda votes: votes.reverse())
    assert (tmp_path / "release" / parquet_path("labels")).is_file()
    done = read(tmp_path / "release")
    assert done.returncode == 1
    assert f"{len(CONFIGS)} configs, labels differ" in done.stdout
