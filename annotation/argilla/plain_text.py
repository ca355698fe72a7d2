"""Text that Argilla's pages show exactly as it is: they take text fields for HTML, so it must be escaped."""

import re

_SPECIAL = re.compile("[&<>\r\U00010000-\U0010ffff]")
_LONE = re.compile("[\ud800-\udfff]")
_NAMES = {"&": "amp", "<": "lt", ">": "gt"}
_REFERENCE = re.compile(r"&(amp|lt|gt|#\d+);")
_CHARACTERS = {name: character for character, name in _NAMES.items()}


def escaped(text: str) -> str:
    """The text as HTML that shows it, character by character; `original` undoes it exactly.

    Characters beyond the basic plane become references too: the server counts characters where the page counts UTF-16
    units, and would else refuse a mark near the end of a text with emoji. Lone surrogates, which JSON cannot carry,
    become U+FFFD.
    """
    return _SPECIAL.sub(_reference, _LONE.sub("\ufffd", text))


def original(html: str) -> str:
    """The text that `escaped` was given."""
    return _REFERENCE.sub(_character, html)


def marked(html: str, start: int, end: int) -> str:
    """The words between two places of the page's own count: UTF-16 units of the text as shown, which has no NUL."""
    units = original(html).replace("\0", "").encode("utf-16-le", "surrogatepass")
    return units[2 * start : 2 * end].decode("utf-16-le", "replace")


def _reference(found: re.Match[str]) -> str:
    return f"&{_NAMES.get(found[0], f'#{ord(found[0])}')};"


def _character(found: re.Match[str]) -> str:
    return _CHARACTERS.get(found[1]) or chr(int(found[1][1:]))
