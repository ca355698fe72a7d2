"""The codebook as text: its version, its hash, and the sections that prompts and guidelines are rendered from."""

import hashlib
import re
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("codebook.md")


@cache
def codebook_text() -> str:
    """The whole codebook, Markdown."""
    return FILE.read_text(encoding="utf-8")


def codebook_version() -> str:
    """The version the codebook states of itself. Raises ValueError if it states none."""
    found = re.search(r"^Version: (\S+)$", codebook_text(), re.MULTILINE)
    if found is None:
        raise ValueError(f"{FILE.name} has no line 'Version: X.Y'")
    return found.group(1)


def codebook_hash() -> str:
    """SHA-256 of the codebook."""
    return hashlib.sha256(codebook_text().encode()).hexdigest()


def section(title: str) -> str:
    """The text below a heading, its subsections included. Raises KeyError if there is no such heading."""
    lines = codebook_text().splitlines()
    for start, line in enumerate(lines):
        marks, _, name = line.partition(" ")
        if set(marks) == {"#"} and name == title:
            return "\n".join(_until_next(lines[start + 1 :], len(marks))).strip()
    raise KeyError(f"the codebook has no section {title!r}")


def label_rules() -> str:
    """The four labels and how to choose one, without the hard cases."""
    return section("Response labels").partition("### Hard cases")[0].strip()


def _until_next(lines: list[str], depth: int) -> list[str]:
    for end, line in enumerate(lines):
        marks = line.partition(" ")[0]
        if set(marks) == {"#"} and len(marks) <= depth:
            return lines[:end]
    return lines
