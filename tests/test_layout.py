"""The layout holds: package names nobody else claims, each outside SDK behind one door, and no trace of any machine."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import distributions, packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("schemas", "builder", "annotation", "hub_card", "analysis")
OURS = "refusal-foresight"
# Outside package → the one file, or the one folder, that may import it.
DOORS = {
    "anthropic": "builder/providers/anthropic_sdk.py",
    "openai": "builder/providers/openai_sdk.py",
    "xllamacpp": "builder/providers/local/serve.py",
    "onnxruntime": "builder/similarity/minilm.py",
    "tokenizers": "builder/similarity/minilm.py",
    "daft": "builder/transports/daft/frame.py",
    "ray": "builder/transports/daft/frame.py",
    "argilla": "nowhere: the toolkit talks to Argilla by its HTTP API",
    "argilla_server": "annotation/argilla/plugin/",
    "sqlalchemy": "annotation/argilla/plugin/",
    "matplotlib": "analysis/figures/",
    "requests": "nowhere: httpx2 does it",
}
TEXT = {".py", ".md", ".toml", ".yaml", ".yml", ".txt", ".json", ".jsonl", ".css", ".html", ".lock", ""}
PERSONAL = re.compile(r"(?<![\w.}])(?:/(?:home|Users|root|work|workspace|mnt)/\w|[A-Z]:\\+Users\\)")


def product_files() -> Iterator[Path]:
    """Every text file of the project, as a path from its root."""
    for folder in (*PACKAGES, "docs", "tests", "benchmarks"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.suffix in TEXT and "__pycache__" not in path.parts:
                yield path.relative_to(ROOT)
    for path in ROOT.iterdir():
        if path.is_file() and path.suffix in TEXT and not path.name.startswith("."):
            yield path.relative_to(ROOT)


def imported(file: Path) -> set[str]:
    """The top-level names of what a Python file imports anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
            names.add(node.module.partition(".")[0])
    return names


@pytest.mark.parametrize("package", PACKAGES)
def test_no_other_installed_distribution_claims_a_package_of_ours(package: str) -> None:
    assert set(packages_distributions().get(package, [])) <= {OURS}
    claims = {
        found.metadata["Name"]
        for found in distributions()
        if found.metadata["Name"] != OURS and any(file.parts[0] == package for file in found.files or ())
    }
    assert claims == set()


def test_each_outside_sdk_is_imported_through_its_one_door() -> None:
    strays = [
        f"{file} imports {name}, which only {DOORS[name]} may"
        for file in product_files()
        if file.suffix == ".py" and file.parts[0] in PACKAGES
        for name in imported(file) & set(DOORS)
        if not file.as_posix().startswith(DOORS[name])
    ]
    assert strays == []


def test_every_outside_package_of_the_product_is_declared_and_not_for_developers_alone() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [line for name, lines in project["optional-dependencies"].items() if name != "dev" for line in lines]
    declared = {re.split(r"[\[<>=!~ ]", line)[0].replace("-", "_") for line in [*project["dependencies"], *extras]}
    used = {
        name
        for file in product_files()
        if file.suffix == ".py" and file.parts[0] in PACKAGES and "plugin" not in file.parts
        for name in imported(file) - set(PACKAGES) - sys.stdlib_module_names
    }
    assert used - declared - {"yaml", "aiohttp"} == set()
    assert "pyyaml" in declared
    assert any(line.startswith("openai[aiohttp]") for line in project["dependencies"])


@pytest.mark.parametrize("package", PACKAGES)
def test_the_product_imports_no_test(package: str) -> None:
    files = [file for file in product_files() if file.suffix == ".py" and file.parts[0] == package]
    assert files
    assert [file for file in files if "tests" in imported(file)] == []


def test_no_file_names_a_path_of_a_machine() -> None:
    here = str(ROOT)
    traces = [
        f"{file}:{number}: {line.strip()[:80]}"
        for file in product_files()
        for number, line in enumerate((ROOT / file).read_text(encoding="utf-8").splitlines(), 1)
        if PERSONAL.search(line) or (len(ROOT.parts) > 2 and here in line)
    ]
    assert traces == []


def test_the_lock_names_packages_and_hashes_and_no_host() -> None:
    for name in ("requirements.lock", "requirements-scale.lock", "annotation/argilla/server.lock"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert "==" in text
        assert re.findall(r"https?://\S+|--(?:extra-)?index-url.*|--find-links.*", text) == []
