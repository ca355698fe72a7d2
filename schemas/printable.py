"""Text from outside as text on a terminal: what would act on it is shown as a replacement character."""

import re

# Controls but tab and line feed; lone surrogates; marks that turn writing around; marks and tags nobody sees. The two
# joiners stay: Persian, Hindi and emoji are written with them.
ACTING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def plain(text: str) -> str:
    """The text without characters that could move a terminal's cursor, turn its writing around or hide in it."""
    return ACTING.sub("\ufffd", text)


def one_line(text: str) -> str:
    """The plain text on one line, so that it cannot pretend to be lines of ours."""
    return plain(" ".join(text.split()))
