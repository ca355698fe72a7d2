"""Word lists kept as text files, one entry a line: either a plain word or a regular expression for its forms."""

import re
from importlib.resources import files


def entries(name: str) -> tuple[str, ...]:
    """The lines of `lists/<name>.txt`."""
    return tuple(files(__package__).joinpath("lists", f"{name}.txt").read_text(encoding="utf-8").split("\n")[:-1])


def any_of(name: str) -> str:
    """A pattern for a whole word or phrase that is in the list."""
    return rf"\b(?:{'|'.join(entries(name))})\b"


def words_pattern(name: str) -> re.Pattern[str]:
    """`any_of`, compiled, in either case."""
    return re.compile(any_of(name), re.IGNORECASE)
