"""What is said of a setting that cannot be used: the flag or key, the value, what is allowed, what was meant."""

from pathlib import Path
from typing import Any

import pytest

from schemas.config import ConfigError, load_config
from schemas.vocabulary import HarmLevel, Topic


def complaint(settings: dict[str, Any] | None = None, file: Path | None = None) -> str:
    """What is said of settings given as flags, or in a file."""
    with pytest.raises(ConfigError) as told:
        load_config(file, settings or {})
    return str(told.value)


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("topics", "guns", "--topics: got 'guns', want all, or some of weapons, drugs, hacking,"),
        ("topics", "hackin", "(did you mean hacking?)"),
        ("topics", ("self-harm",), "(did you mean self_harm?)"),
        ("topics", "", "--topics: got nothing, want at least one"),
        ("levels", "9", "--levels: got '9', want all, or some of 1 to 5, such as 4,5 or 1-3"),
        ("levels", "3-1", "--levels: got '3-1', want"),
        ("targets", "foo", "--targets: 'foo' is not a model: want provider/model, such as local/smollm2-135m"),
        ("targets", "opnai/gpt", "(did you mean openai/gpt?)"),
        ("targets", "openai/a\x1b[2J", "no control characters"),
        ("targets", "lexical", "--targets: lexical is a judge"),
        ("judges", (), "--judges: got nothing, want at least one"),
        ("temperature", "nan", "--temperature: got 'nan', want a number from 0 to 2"),
        ("temperature", float("inf"), "--temperature: got inf, want a number from 0 to 2"),
        ("budget_usd", "inf", "--budget-usd: got 'inf', want a number above 0"),
        ("samples", "two", "--samples: got 'two', want a whole number from 1 to 1000"),
        ("per_cell", "2.5", "--per-cell: got '2.5', want a whole number from 1 on"),
        ("tier", "open", "--tier: got 'open', want one of public, gated, private"),
        ("release_version", "1", "--release-version: got '1', want three whole numbers, such as 1.0.0"),
        ("judge_records", 3, "--judge-record: got 3, want files that evaluate-judge --json wrote"),
        ("accept_judge", "openai/m", "--accept-judge: 'openai/m' is not among the judges lexical,"),
        ("source", "generate", "--generator: name the model that writes"),
    ],
)
def test_a_wrong_flag_is_named_with_its_value_and_what_is_allowed(name: str, given: Any, words: str) -> None:
    told = complaint({name: given})
    assert words in told
    assert not any(raw in told for raw in ("topics.0", "levels.0", "()", "[type=", "Input should"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tpics = []", "tpics in {}: there is no such setting (did you mean topics"),
        ("levels = [1, 7]", "levels in {}: got 7, want all, or some of 1 to 5"),
        ("temperature = nan", "temperature in {}: got nan, want a number from 0 to 2"),
        ('[prices."openai/m"]\ninput = -1\noutput = 2', 'prices."openai/m".input in {}: got -1, want'),
        ('[prices."openai/m"]\ninput = 1', 'prices."openai/m".output in {}: got nothing, want'),
        ('targets = ["foo"]', "targets in {}: 'foo' is not a model"),
    ],
)
def test_a_wrong_key_of_a_file_is_named_with_the_file(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "study.toml"
    file.write_text(text)
    assert words.format(file) in complaint(file=file)


def test_every_wrong_value_is_named_once() -> None:
    assert complaint({"topics": "guns,bombs,guns"}).count("got 'guns'") == 1
    assert "got 'bombs'" in complaint({"topics": "guns,bombs,guns"})


def test_of_a_flag_and_a_file_the_one_that_is_wrong_is_named(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text("samples = 0")
    assert "samples in" in complaint({"topics": "all"}, file)
    assert complaint({"samples": -1}, file).startswith("--samples: got -1")


@pytest.mark.parametrize(
    ("given", "levels"),
    [("1-3", (1, 2, 3)), ("5,1-2", (1, 2, 5)), (" 2 - 3 ", (2, 3)), ("4", (4,)), ("all", (1, 2, 3, 4, 5))],
)
def test_levels_are_lists_and_ranges(given: str, levels: tuple[int, ...]) -> None:
    assert load_config(None, {"levels": given}).levels == tuple(HarmLevel(level) for level in levels)


def test_all_as_a_flag_overrides_some_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text('topics = ["fraud"]\nlevels = "1-2"')
    assert load_config(file, {}).levels == (HarmLevel(1), HarmLevel(2))
    assert load_config(file, {"topics": "all"}).topics == tuple(Topic)


def test_a_flag_of_another_name_is_called_by_it() -> None:
    with pytest.raises(ConfigError, match="--judge: 'foo' is not a model"):
        load_config(None, {"judges": ("foo",)}, {"judges": "--judge"})
