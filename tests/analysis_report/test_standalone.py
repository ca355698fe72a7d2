"""The package stands alone: what it imports, what it pins, how fast it is."""

import ast
import resource
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

import analysis
from analysis.sources import load

from .builders import columns, write_release

PACKAGE = Path(analysis.__file__).parent
ALLOWED = {"numpy", "pandas", "scipy", "matplotlib", "pyarrow", "huggingface_hub"}


def imported(file: Path) -> set[str]:
    """Top names of absolute imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.split(".")[0])
    return found


def test_only_the_pinned_packages_and_the_standard_library_are_imported() -> None:
    for file in PACKAGE.rglob("*.py"):
        assert imported(file) <= ALLOWED | set(sys.stdlib_module_names), file


def test_the_hub_client_is_imported_in_one_place() -> None:
    assert [file.name for file in PACKAGE.rglob("*.py") if "huggingface_hub" in imported(file)] == ["sources.py"]


def test_every_requirement_is_pinned() -> None:
    lines = (PACKAGE / "requirements.txt").read_text(encoding="utf-8").split()
    assert {line.split("==")[0] for line in lines} == ALLOWED - {"huggingface_hub"}


def test_a_report_of_a_study_of_four_targets_takes_seconds(tmp_path: Path) -> None:
    targets = ("a/one", "b/two", "c/three", "d/four")
    place = write_release(tmp_path, columns(targets=targets, n_requests=313))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-m", "analysis", place, "--quiet"], cwd=PACKAGE.parent, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0
    # About 8 on an idle core, half of it drawing; the limit catches a slip in complexity, not a busy machine.
    assert after.ru_utime - before.ru_utime < 40


def test_a_million_rows_load_in_seconds(tmp_path: Path) -> None:
    place = write_release(tmp_path, columns(n_requests=300))
    (file,) = (place / "data" / "datapoints").glob("*.parquet")
    table = pyarrow.parquet.read_table(file)
    copies = []
    for sample in range(556):
        column = pa.array([sample] * len(table), type=pa.int16())
        copies.append(table.set_column(table.column_names.index("sample"), "sample", column))
    pyarrow.parquet.write_table(pa.concat_tables(copies), file)
    start = time.process_time()
    data = load(str(place)).data
    assert data.n_rows == 1_000_800
    assert time.process_time() - start < 20
