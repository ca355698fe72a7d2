"""The numbers need numpy and scipy alone, wherever the folder is copied."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import analysis

FOLDER = Path(analysis.__path__[0])
CORE = [*FOLDER.glob("metrics/*.py"), *FOLDER.glob("intervals/*.py"), FOLDER / "simulate.py", FOLDER / "power.py"]


def imported(path: Path) -> set[str]:
    """Top-level names of absolute imports."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    froms = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    return {name.partition(".")[0] for name in plain | froms}


def test_the_core_imports_numpy_scipy_and_the_standard_library() -> None:
    allowed = {"numpy", "scipy", *sys.stdlib_module_names}
    assert {path.name: imported(path) - allowed for path in CORE if imported(path) - allowed} == {}


def test_a_copy_elsewhere_computes_the_same(tmp_path: Path) -> None:
    for name in ("metrics", "intervals"):
        shutil.copytree(FOLDER / name, tmp_path / "copied" / name)
    code = (
        "from copied.metrics.table import request_table\n"
        "from copied.intervals.defaults import default_estimates\n"
        "table = request_table(list(range(40)), [0, 1] * 20, [0, 0, 0, 1] * 10, [5] * 40)\n"
        "print(default_estimates(table)['accuracy'].value)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "0.75\n", done.stderr
