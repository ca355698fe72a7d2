"""The pages about releases name what the commands have."""

import argparse
from pathlib import Path

import pytest

from hub_card import cli, validate_cli
from hub_card.layout import CARD, CHANGELOG, CITATION, CODEBOOK, CROISSANT, MANIFEST, SUMS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(("page", "command"), [("publishing.md", cli.parser()), ("release.md", validate_cli.parser())])
def test_every_option_of_the_command_is_on_its_page(page: str, command: argparse.ArgumentParser) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    options = [option for action in command._actions for option in action.option_strings if option.startswith("--")]
    assert [option for option in options if option != "--help" and option not in text] == []
    assert command.prog in text


def test_every_file_of_a_release_is_on_its_page() -> None:
    text = (DOCS / "release.md").read_text(encoding="utf-8")
    names = (CARD, CHANGELOG, CITATION, CODEBOOK, CROISSANT, MANIFEST, SUMS)
    assert [name for name in names if f"`{name}`" not in text] == []
