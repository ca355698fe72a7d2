"""How tables are printed: on a terminal, in CSV and in LaTeX."""

import csv
import io
import re
from pathlib import Path

import numpy as np
import pytest

import analysis
from analysis.figures.bars import confusion
from analysis.figures.style import styled
from analysis.metrics.estimate import Estimate, undefined
from analysis.tables.files import as_csv, as_latex
from analysis.tables.statuses import MEANING
from analysis.tables.table import Column, Kind, Table, number, printable, shown
from analysis.tables.text import as_text
from analysis.tables.words import grouped, listed, spanned

ACCURACY = Estimate(0.93, 0.907, 0.948, 900, 300, "ok", "cluster jackknife-t, logit")
TABLE = Table(
    "example",
    "An example",
    (Column("target", "Target"), Column("accuracy", "Accuracy %", "percent"), Column("n", "n", "count")),
    (("a_b & c", ACCURACY, 900), ("none", undefined("undefined_no_signal", 5), 5), ("evil\x1b[31m\u202e", None, 0)),
    "Read this.",
    ("A note.",),
)


def test_a_class_without_rows_is_no_share() -> None:
    with styled():
        figure = confusion(["maker/one"], np.array([[0, 0, 3, 1]]))
    written = [text.get_text() for text in figure.axes[0].texts]
    assert written == ["no rows", "no rows", "3\n75.0 %", "1\n25.0 %"]


def test_every_status_has_a_meaning_in_words() -> None:
    sources = [file.read_text() for file in Path(analysis.__file__).parent.rglob("*.py")]
    pattern = r'"((?:undefined|skipped|gated|too_few|rests_on|extreme_rate|not_converged|target_not)[a-z_]*)"'
    found = {status for source in sources for status in re.findall(pattern, source)}
    assert len(found) > 20
    assert sorted(found - MEANING.keys()) == []


@pytest.mark.parametrize(
    ("value", "kind", "printed"),
    [
        (0.93, "percent", "93.0"),
        (-0.0001, "percent", "0.0"),
        (-0.4157, "two", "−0.42"),
        (-0.001, "two", "0.00"),
        (1234.0, "count", "1,234"),
        (0.0123, "points", "+1.2"),
        (-0.0123, "points", "−1.2"),
        (0.0, "points", "0.0"),
        (0.0004, "p", "< .001"),
        (0.042, "p", ".042"),
        (1.0, "p", "1.000"),
        (float("nan"), "two", "–"),
        (float("inf"), "three", "∞"),
        (float("-inf"), "three", "−∞"),
    ],
)
def test_numbers_are_printed_in_the_manner_of_their_column(value: float, kind: Kind, printed: str) -> None:
    assert number(value, kind) == printed


def test_an_estimate_carries_its_interval_and_null_is_a_dash() -> None:
    assert shown(ACCURACY, "percent") == "93.0 [90.7, 94.8]"
    assert shown(None, "percent") == "–"
    assert shown(undefined("undefined", 0), "two") == "–"


def test_text_is_aligned_and_statuses_are_explained() -> None:
    lines = as_text(TABLE).splitlines()
    assert lines[:3] == ["An example", "==========", "Read this."]
    assert lines[3] == "Target             Accuracy %    n"
    assert lines[5] == "a_b & c     93.0 [90.7, 94.8]  900"
    assert lines[6].endswith("– a    5")
    assert "a: nothing was refused, so this is undefined" in lines


def test_no_control_character_of_the_data_reaches_a_terminal_or_a_file() -> None:
    for text in (as_text(TABLE), as_csv(TABLE), as_latex(TABLE)):
        assert not {"\x1b", "\u202e"} & set(text)
    assert printable("a\x00b\tc\n\u2066") == "a\ufffdb c \ufffd"


def test_csv_holds_every_part_of_an_estimate_and_nulls_are_empty() -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(TABLE))))
    assert rows[0] == {
        "target": "a_b & c",
        "accuracy": "0.93",
        "accuracy_low": "0.907",
        "accuracy_high": "0.948",
        "accuracy_n": "900",
        "accuracy_n_requests": "300",
        "accuracy_status": "ok",
        "accuracy_method": "cluster jackknife-t, logit",
        "n": "900",
    }
    assert rows[1]["accuracy"] == ""
    assert rows[1]["accuracy_status"] == "undefined_no_signal"
    assert rows[2]["accuracy_status"] == ""


def test_latex_escapes_what_it_would_act_on() -> None:
    text = as_latex(TABLE)
    assert r"a\_b \& c & 93.0 [90.7, 94.8] & 900 \\" in text
    assert r"Accuracy \%" in text


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="table t: a row of 2 cells for 1 columns"):
        Table("t", "T", (Column("a", "A"),), (("x", "y"),))


def test_sentences_stay_one_sentence() -> None:
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(list("abcdefg")) == "a, b, c, d and 3 more"
    assert grouped({"x": "better", "y": "worse", "z": "better"}) == "better for x and z; worse for y"
    assert grouped(dict.fromkeys("wxyz", "better")) == "better for all 4 targets"
    assert spanned([0.8, 0.93]) == "80.0 to 93.0 %"
