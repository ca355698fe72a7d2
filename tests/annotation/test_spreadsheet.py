"""Tables for a spreadsheet: nothing in them runs, and what is filled in comes back."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.items import Item
from annotation.spreadsheet import SpreadsheetError, cell, export_csv, import_csv, unrecorded
from schemas.records import Annotation
from schemas.vocabulary import RefusalLabel, Topic


def item(key: str, response: str = "an answer") -> Item:
    """An item."""
    return Item(key, "r", Topic.FRAUD, "what, then?", response, None, "no_deciding_vote", "routed")


def filled(*rows: tuple[str, str, str, str], delimiter: str = ",") -> str:
    """A table as a spreadsheet writes it back: key, label, confidence, note."""
    out = io.StringIO()
    table = csv.writer(out, delimiter=delimiter)
    table.writerow(["response_key", "request", "what_to_know", "response", "label", "confidence", "note"])
    for key, label, confidence, note in rows:
        table.writerow([key, "what", "", "an answer", label, confidence, note])
    return out.getvalue()


def read(text: str) -> list[Annotation]:
    """What the table says."""
    return import_csv(text, "zoe", {"k1", "k2", "k3"}, "1.0", "2026-01-01T00:00:00.000000Z")


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r", " =", "\t@", "|", "%", "＝", "\u200b=", "\ufeff+"])
def test_no_cell_begins_as_a_formula(first: str) -> None:
    rows = list(csv.reader(io.StringIO(export_csv([item("k1", f"{first}HYPERLINK(1)")]), newline="")))
    assert rows[1][3].startswith("'")


@given(st.text())
def test_any_text_is_one_cell_that_is_no_formula(text: str) -> None:
    rows = list(csv.reader(io.StringIO(export_csv([item("k1", text)]), newline="")))
    assert [len(row) for row in rows] == [7, 7]
    assert rows[1][3] == cell(text)
    assert not rows[1][3].lstrip(" \t\n\u200b\ufeff").startswith(("=", "+", "-", "@"))


def test_answers_come_back_and_empty_lines_are_passed_over() -> None:
    text = filled(("k1", "full_refusal", "4", " why "), ("k2", "", "", ""), ("k3", "Cannot tell", "", ""))
    first, second = read(text)
    assert (first.response_key, first.annotator, first.status) == ("k1", "zoe", "submitted")
    assert (first.label, first.confidence, first.note) == (RefusalLabel.FULL_REFUSAL, 4, "why")
    assert (second.response_key, second.label, second.status) == ("k3", None, "submitted")


def test_an_empty_table_and_one_with_tabs_are_told_as_such() -> None:
    with pytest.raises(SpreadsheetError, match="the table is empty"):
        read("")
    with pytest.raises(SpreadsheetError, match="separated by tabs: want commas"):
        read(filled(("k1", "full_refusal", "4", ""), delimiter="\t"))


def test_skips_are_discarded_answers_with_the_reason() -> None:
    (skipped,) = read(filled(("k1", "skip_distressing", "", "no")))
    assert (skipped.status, skipped.label, skipped.note) == ("discarded", None, "skipped: distressing. no")


def test_semicolons_and_a_byte_order_mark_are_understood() -> None:
    assert read("\ufeff" + filled(("k1", "full_compliance", "", ""), delimiter=";")) == read(
        filled(("k1", "full_compliance", "", ""))
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (filled(("k9", "full_refusal", "", "")), "line 2: the response 'k9' is not in this run"),
        (filled(("k1", "refused", "", "")), "line 2: got the label 'refused', want one of full_refusal"),
        (filled(("k1", "full_refusal", "6", "")), "line 2: got the confidence '6', want a number from 1 to 5"),
        (filled(("k1", "full_refusal", "", "")) + "of it,what\n", "line 3: got 2 cells, want 7"),
        (filled(("k2", "", "", "")) + "k1,a,,one line\nof it,full_refusal,4\n", "line 4: got 3 cells, want 7"),
        (filled(("k1", "full_refusal", "", "")) + "k2,a,b,c,,,,\n", "line 3: more cells than columns"),
        ("response_key,label,label\nk1,,full_refusal\n", "two columns label"),
        ('response_key,label"\n', "no column label"),
        ('"response_key"x,label\n', "line 1: .*save the table as CSV again"),
        (
            filled(("k1", "full_refusal", "", ""), ("k2", "", "", ""), ("k1", "full_compliance", "", "")),
            "line 4: the response 'k1' has another answer on line 2",
        ),
        (filled(("k1", "", "4", "")), "line 2: confidence without a label"),
        (filled(("k1", " ", "", "why")), "line 2: note without a label"),
        ("key,label\nk1,full_refusal\n", "no column response_key"),
        ("", "the table is empty"),
    ],
)
def test_a_table_that_is_wrong_is_refused_whole(text: str, complaint: str) -> None:
    with pytest.raises(SpreadsheetError, match=complaint):
        read(text)


def test_empty_cells_at_the_end_of_a_line_may_be_missing() -> None:
    head = filled().strip()
    short = f"{head}\nk1,what,,an answer,full_refusal\nk2,what\n,,\nk3,what,,an answer,skip,\n"
    assert read(short) == read(filled(("k1", "full_refusal", "", ""), ("k2", "", "", ""), ("k3", "skip", "", "")))


def test_the_same_answer_twice_in_a_table_is_one() -> None:
    assert len(read(filled(("k1", "full_refusal", "4", ""), ("k1", "full_refusal", "4", "")))) == 1


def test_the_same_table_twice_adds_nothing_and_a_changed_line_adds_one() -> None:
    first = read(filled(("k1", "full_refusal", "4", ""), ("k2", "full_refusal", "", "")))
    assert unrecorded(first, []) == first
    assert unrecorded(first, first) == []
    changed = read(filled(("k1", "full_refusal", "4", ""), ("k2", "full_compliance", "", "")))
    assert [a.response_key for a in unrecorded(changed, first)] == ["k2"]
