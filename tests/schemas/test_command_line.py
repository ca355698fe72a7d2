"""Command lines that messages show: quoted, and with the script's path unless the shell finds that very script."""

import shlex
from pathlib import Path

import pytest

from schemas.command_line import command_line


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The scripts folder of an environment that is not on PATH, with the interpreter that runs us; cwd is elsewhere."""
    folder = tmp_path / "study one" / ".venv" / "bin"
    elsewhere = tmp_path / "elsewhere"
    for place in (folder, elsewhere):
        place.mkdir(parents=True)
    make_script(folder / "build-dataset")
    monkeypatch.setattr("sys.executable", str(folder / "python"))
    monkeypatch.setattr("sys.argv", ["-c"])
    monkeypatch.setenv("PATH", str(elsewhere))
    monkeypatch.chdir(elsewhere)
    return folder


def make_script(path: Path) -> None:
    """Something that a shell would run."""
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)


@pytest.mark.usefixtures("scripts")
def test_every_argument_comes_back_from_the_shell_as_it_was() -> None:
    arguments = ["--run", "runs/my study", "it's; $(date)"]
    assert shlex.split(command_line("build-dataset", *arguments))[1:] == arguments


def test_a_script_that_the_shell_does_not_find_stands_with_its_path(scripts: Path) -> None:
    assert shlex.split(command_line("build-dataset"))[0] == str(scripts / "build-dataset")


def test_below_the_current_directory_the_path_is_short(scripts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(scripts.parent.parent)
    assert command_line("build-dataset", "--plan") == ".venv/bin/build-dataset --plan"


def test_a_script_that_the_shell_finds_stands_by_name(scripts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(scripts))
    assert command_line("build-dataset", "--plan") == "build-dataset --plan"


def test_another_script_of_that_name_is_not_ours(scripts: Path) -> None:
    make_script(Path("build-dataset"))
    assert shlex.split(command_line("build-dataset"))[0] == str(scripts / "build-dataset")


@pytest.mark.usefixtures("scripts")
def test_where_no_script_lies_beside_us_the_name_has_to_do() -> None:
    assert command_line("annotate-dataset") == "annotate-dataset"
