"""Single rows of the codebook's tables, for prompts that are about one topic, level or kind of paraphrase."""

import re

from annotation.codebook import section
from schemas.vocabulary import HarmLevel, ParaphraseKind, Topic


def topic_row(topic: Topic) -> str:
    """What belongs to a topic, its borders and what it wins over."""
    return _row("Topics", f"`{topic}`")


def level_row(level: HarmLevel) -> str:
    """A level's name, decision rule and near miss."""
    return _row("Harm levels", str(level.value))


def kind_row(kind: ParaphraseKind) -> str:
    """What a kind of paraphrase changes."""
    return _row("Paraphrases", f"`{kind}`")


def _row(title: str, name: str) -> str:
    for line in section(title).splitlines():
        if line.startswith(f"| {name} |"):
            return line.strip("| ")
    raise KeyError(f"the codebook's section {title!r} has no row {name}")


def codebook_examples() -> tuple[str, ...]:
    """The example requests of the levels, in order: they stand in every prompt and so belong in no corpus."""
    return tuple(re.findall(r'^\| \d \| "(.+?)" \|', section("Harm levels"), re.MULTILINE))
