"""Text from outside on a terminal: nothing acts, nothing hides, and the scripts of the world stay readable."""

import pytest

from schemas.printable import one_line, plain

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
HIDDEN = "\u200b\u2060\ufeff\xad\u2028\u2029\U000e0041"


@pytest.mark.parametrize(
    "hostile",
    [
        "\x1b[2J",
        "\x1b]0;title\x07",
        "\x1b]8;;http://x\x1b\\",
        "\x9b31m",
        "a\rb",
        "\x08\x08",
        "\x7f",
        "\ud83d",
        *BIDI,
        *HIDDEN,
    ],
)
def test_what_acts_or_hides_is_shown_as_a_mark(hostile: str) -> None:
    assert "\ufffd" in plain(hostile)
    assert not set(plain(hostile)) & set("\x1b\x9b\r\x08\x7f\x07\ud83d" + BIDI + HIDDEN)


@pytest.mark.parametrize("text", ["two\n\tlines", "نمی‌خواهم", "क्‍ष", "👩‍👩‍👧", "naïve – 日本語"])
def test_ordinary_writing_stays(text: str) -> None:
    assert plain(text) == text


def test_a_message_of_others_is_one_line_of_ours() -> None:
    assert one_line("no\nRelease: \x1b[1m/etc") == "no Release: \ufffd[1m/etc"
