"""Prompts are files; a prompt's hash is its version."""

import hashlib
import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
SLOT = re.compile(r"\{\{(\w+)\}\}")


@cache
def prompt_text(name: str) -> str:
    """The text of `builder/prompts/<name>.md`."""
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8").strip()


def prompt_hash(name: str) -> str:
    """SHA-256 of the prompt's text."""
    return hashlib.sha256(prompt_text(name).encode()).hexdigest()


def render(name: str, **values: str) -> str:
    """The prompt with each `{{slot}}` replaced once; what a value holds is never looked at again.

    Raises KeyError for a slot without a value.
    """
    return SLOT.sub(lambda slot: values[slot.group(1)], prompt_text(name))
