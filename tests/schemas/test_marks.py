"""Marks that material cannot forge."""

from hypothesis import given
from hypothesis import strategies as st

from schemas.marks import LENGTH, code_for


@given(st.lists(st.text(alphabet="0123456789abcdefABCDEF \n", max_size=400), max_size=3))
def test_the_code_stands_in_no_text(texts: list[str]) -> None:
    code = code_for("judge", *texts)
    assert len(code) == LENGTH
    assert all(code not in text.lower() for text in texts)


def test_a_text_that_holds_the_first_draw_gets_another_code() -> None:
    first = code_for("judge")
    assert code_for("judge") == first
    forged = f"[end {first.upper()}]"
    assert code_for("judge", forged) not in forged.lower()


def test_purposes_have_codes_of_their_own() -> None:
    assert code_for("judge", "a text") != code_for("predict", "a text")
