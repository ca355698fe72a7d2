"""Settings: defaults that work, a file that flags override, mistakes that are named."""

from pathlib import Path

import pytest

from schemas.config import BuildConfig, ConfigError, load_config
from schemas.model_name import parse_model
from schemas.vocabulary import HarmLevel, Topic


def test_the_defaults_cover_everything_and_need_no_key() -> None:
    config = BuildConfig()
    assert (config.topics, config.levels) == (tuple(Topic), tuple(HarmLevel))
    assert config.targets == ("local/smollm2-135m",)


def test_flags_override_the_file(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text('samples = 3\ntemperature = 1.0\ntopics = ["fraud"]\n[prices."openai/m"]\ninput = 1\noutput = 2\n')
    config = load_config(file, {"samples": 2})
    assert (config.samples, config.topics, config.prices["openai/m"].output) == (2, (Topic.FRAUD,), 2)


def test_topics_are_taken_once_and_in_their_order() -> None:
    assert load_config(None, {"topics": ("violence", "weapons", "weapons")}).topics == (Topic.WEAPONS, Topic.VIOLENCE)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tpics = []", "tpics in .*there is no such setting .did you mean topics"),
        ("samples = 0", "samples in .* got 0, want a whole number from 1"),
        ("topics = []", "topics in .*want at least one"),
        ("samples = ", "is not TOML"),
        ('targets = ["gpt"]', "want provider/model"),
        ("temperature = 3", "temperature in"),
        (f"samples = {'[' * 50_000}", "nested too deep"),
        ("budget_usd = true", "budget_usd in .* got true, want a number above 0"),
        ("samples = true", "samples in .* got true, want a whole number from 1"),
        ("levels = [true]", "levels in .* got true, want all, or some of 1 to 5"),
        ('prices."openai/m" = {input = true, output = 2}', "prices.* got true, want"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "c.toml").write_text(text)
    with pytest.raises(ConfigError, match=words):
        load_config(tmp_path / "c.toml", {})


@pytest.mark.parametrize(
    "url",
    [
        "http://[::1/v1",
        "http://[zz]/v1",
        "http://h:99999/v1",
        "http://h:0/v1",
        "http://h:x/v1",
        "http:///v1",
        "http://h\t",
    ],
)
def test_an_address_that_leads_nowhere_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="the address is none: want http://HOST:PORT/v1, with a port from 1 to 65535"):
        load_config(None, {"base_url": {"openai-compatible": url}})


def test_addresses_of_hosts_and_ports_are_taken() -> None:
    addresses = {
        "openai-compatible": "http://[::1]:8000/v1",
        "openai": "https://h.example/v1",
        "together": "http://h:65535",
    }
    assert load_config(None, {"base_url": addresses}).base_url == addresses


@pytest.mark.parametrize("name", ["gpt", "openai/", "/m", "nobody/m", ""])
def test_a_model_needs_a_known_provider(name: str) -> None:
    with pytest.raises(ValueError, match="want provider/model"):
        parse_model(name)


def test_a_model_name_may_hold_slashes() -> None:
    assert parse_model("together/meta-llama/Llama-3").model == "meta-llama/Llama-3"
