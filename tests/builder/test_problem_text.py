"""The operating system's complaints, said in words and with what to do."""

from collections.abc import Callable
from pathlib import Path

import pytest

from builder.cli import main as build_dataset
from builder.evaluate_cli import main as evaluate_judge
from builder.problem_text import problem_text


def problem_of(path: Path, *, write: bool = False) -> str:
    """What is said when this path is read, or written."""
    with pytest.raises(OSError, match="Errno") as raised:
        path.write_text("x") if write else path.read_text()
    return problem_text(raised.value)


def test_a_missing_file_is_named_without_a_number(tmp_path: Path) -> None:
    assert problem_of(tmp_path / "none") == f"{tmp_path / 'none'}: No such file or directory; check the path"


def test_a_directory_where_a_file_is_wanted_and_the_other_way_round(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert problem_of(tmp_path).endswith("Is a directory; a directory is where a file is wanted: name a file")
    assert "a file is where a directory is wanted" in problem_of(tmp_path / "file" / "x", write=True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_a_full_disk_says_that_nothing_is_lost() -> None:
    with Path("/dev/full").open("wb", buffering=0) as full, pytest.raises(OSError, match="28") as raised:
        full.write(b"x")
    assert problem_text(raised.value).startswith("No space left on device; free some space and run the same command")


def test_our_own_words_stay_as_they_are() -> None:
    assert problem_text(OSError("x.csv is not UTF-8")) == "x.csv is not UTF-8"
    assert problem_text("stopped") == "stopped"


def test_a_file_that_is_no_text_says_where(tmp_path: Path) -> None:
    file = tmp_path / "gold.jsonl"
    file.write_bytes(b"ab\xff")
    with pytest.raises(UnicodeDecodeError) as raised:
        file.read_text(encoding="utf-8")
    assert problem_text(raised.value) == "not UTF-8 text (byte 3 is 0xff); save it as UTF-8"


@pytest.mark.parametrize("content", [None, b"\xff"])
@pytest.mark.parametrize(
    ("command", "flags"),
    [
        (build_dataset, ["--targets", "scripted/x", "--judges", "lexical", "--per-cell", "1", "--judge-record"]),
        (build_dataset, ["--check-contamination"]),
        (evaluate_judge, ["--judge", "lexical", "--gold"]),
    ],
)
def test_files_named_by_flags_are_complained_of_in_words(
    command: Callable[[list[str]], int],
    flags: list[str],
    content: bytes | None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "given.jsonl"
    if content is not None:
        file.write_bytes(content)
    assert command(["--run", str(tmp_path / "run"), *flags, str(file)]) in (1, 2)
    told = capsys.readouterr().err
    assert str(file) in told
    assert "Errno" not in told
    assert "codec" not in told
