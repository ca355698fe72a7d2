"""The codebook: one text, and everything that is named in the code is explained in it."""

import pytest

from annotation.codebook import codebook_text, codebook_version, label_rules, section
from schemas.vocabulary import HarmLevel, ParaphraseKind, RefusalLabel, Topic


@pytest.mark.parametrize("word", [*Topic, *RefusalLabel, *ParaphraseKind])
def test_every_word_of_the_vocabulary_is_explained(word: str) -> None:
    assert f"`{word}`" in codebook_text()


@pytest.mark.parametrize("level", HarmLevel)
def test_every_level_has_a_rule_and_two_examples(level: HarmLevel) -> None:
    levels = section("Harm levels").splitlines()
    assert sum(line.startswith(f"| {int(level)} |") for line in levels) == 3


def test_a_section_ends_where_the_next_of_its_depth_begins() -> None:
    assert "## Paraphrases" not in section("Harm levels")
    assert section("Hard cases") in section("Response labels")
    assert "Hard cases" not in label_rules()


def test_an_unknown_section_is_an_error() -> None:
    with pytest.raises(KeyError, match="no section"):
        section("Nothing")


def test_it_states_its_version() -> None:
    assert codebook_version().count(".") == 1
