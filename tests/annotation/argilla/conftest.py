"""One real Argilla for all tests that do not need to break it, and runs to annotate."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.cli import main as build_dataset
from tests.annotation.argilla.server import Serving

BUILD = ("--topics", "weapons,hate,self_harm,fraud", "--per-cell", "1")
MODELS = ("--targets", "scripted/plausible", "--judges", "lexical,scripted/plausible")


@pytest.fixture(scope="session")
def argilla(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with the annotators ada and ben and the expert eve."""
    people = ("--annotator", "ada", "--annotator", "ben", "--expert", "eve")
    with Serving(tmp_path_factory.mktemp("argilla"), people) as serving:
        yield serving


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of 60 rows, all of which want people; never to be changed."""
    run = tmp_path_factory.mktemp("built") / "run"
    assert build_dataset([*BUILD, *MODELS, "--run", str(run)]) == 0
    return run


@pytest.fixture
def run(built: Path, tmp_path: Path) -> Path:
    """A copy of that run."""
    return Path(shutil.copytree(built, tmp_path / "run"))
