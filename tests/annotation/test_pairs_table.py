"""Paraphrases through a spreadsheet: out, filled in, back, twice, and wrong."""

import csv
import io
from pathlib import Path

import pytest

from annotation.codebook import codebook_version
from annotation.pairs import Pair
from annotation.pairs_table import ANSWERS, export_pairs, import_pairs, is_pairs_table, unrecorded_answers
from annotation.spreadsheet import COLUMNS as LABEL_COLUMNS
from annotation.spreadsheet import SpreadsheetError
from builder.annotate_cli import main
from builder.annotate_run import read_pairs
from builder.cli import main as build_dataset
from builder.journal.store import Journal
from schemas.vocabulary import ParaphraseKind, Topic
from tests.annotation.argilla.flags import flags_for

PAIRS = [
    Pair("fraud-L1-01-v1", "fraud-L1-01", Topic.FRAUD, ParaphraseKind.TERSE, "base, one", "=text 1"),
    Pair("fraud-L1-01-v2", "fraud-L1-01", Topic.FRAUD, ParaphraseKind.WORDY, "base, one", "text 2"),
]
KEYS = {pair.key for pair in PAIRS}


def filled(text: str, *answers: tuple[str, ...]) -> str:
    """The table with these answers, line by line."""
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
    out = io.StringIO()
    table = csv.DictWriter(out, list(rows[0]))
    table.writeheader()
    for row, said in zip(rows, [*answers, *[("",) * 3] * len(rows)], strict=False):
        table.writerow(row | dict(zip(ANSWERS, said, strict=True)))
    return out.getvalue()


def test_what_is_filled_in_comes_back_and_empty_lines_do_not() -> None:
    table = export_pairs(PAIRS)
    assert "'=text 1" in table
    assert (is_pairs_table(table), is_pairs_table(",".join(LABEL_COLUMNS))) == (True, False)
    (check,) = import_pairs(filled(table, ("Yes", "no", "Cannot tell")), "zoe", KEYS, "1", "t")
    assert (check.pair_key, check.annotator, check.status) == (PAIRS[0].key, "zoe", "submitted")
    assert (check.same_intent, check.same_level, check.kind_fits, check.note) == (True, False, None, None)
    assert unrecorded_answers([check], [check]) == []
    assert unrecorded_answers([check], []) == [check]


def test_empty_answers_at_the_end_of_a_line_may_be_missing() -> None:
    short = f"pair_key,same_intent,same_level,kind_fits,note\n{PAIRS[0].key},yes\n{PAIRS[1].key}\n"
    (check,) = import_pairs(short, "zoe", KEYS, "1", "t")
    assert (check.pair_key, check.same_intent, check.same_level, check.kind_fits) == (PAIRS[0].key, True, None, None)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("pair_key,same_intent\na,yes\n", "no column kind_fits, same_level"),
        (
            "pair_key,same_intent,same_level,kind_fits\nother,yes,yes,yes\n",
            "line 2: the pair 'other' is not in this run",
        ),
        (
            f"pair_key,same_intent,same_level,kind_fits\n{PAIRS[0].key},yes,,\n{PAIRS[0].key},no,,\n",
            f"line 3: the pair '{PAIRS[0].key[:16]}' has another answer on line 2",
        ),
        (f"pair_key,same_intent,same_level,kind_fits,note\n{PAIRS[0].key},,,,why\n", "line 2: note without an answer"),
        ("pair_key,same_intent,same_level,kind_fits\nof it,yes\n", "line 2: got 2 cells, want 4"),
        (f"pair_key,same_intent,same_level,kind_fits\n{PAIRS[0].key},perhaps,,\n", "line 2: got the answer 'perhaps'"),
    ],
)
def test_a_wrong_table_is_refused_whole(table: str, message: str) -> None:
    with pytest.raises(SpreadsheetError, match=message):
        import_pairs(table, "zoe", KEYS, "1", "t")


def test_a_run_is_checked_by_spreadsheet_and_answered_pairs_are_not_asked_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, file = tmp_path / "run", tmp_path / "zoe.csv"
    small = ["--topics", "fraud", "--levels", "1", "--per-cell", "2", "--targets", "scripted/plausible"]
    assert build_dataset([*small, "--judges", "lexical", "--run", str(run)]) == 0
    export = ["export", "--run", str(run), "--annotator", "zoe", "--what", "paraphrases", str(file)]
    assert main(export) == 0
    file.write_text(filled(file.read_text(encoding="utf-8-sig"), ("no", "yes", "yes")), encoding="utf-8")
    for new in (1, 0):
        capsys.readouterr()
        assert main(["import", "--run", str(run), str(file)]) == 0
        assert f"{new} new answers of zoe about paraphrases" in (said := capsys.readouterr().out)
        assert "1 of 4 paraphrases checked by people (1): 0 accepted, 1 rejected" in said
    with Journal(run / "journal.sqlite") as journal:
        (check,) = journal.paraphrase_checks()
    assert (check.annotator, check.guidelines_version) == ("zoe", codebook_version())
    assert main(export) == 2
    assert main([*export, "--overwrite"]) == 0
    assert check.pair_key not in file.read_text(encoding="utf-8")
    assert len(read_pairs(flags_for(run)).pairs) == 4
    capsys.readouterr()
    assert main(["status", "--run", str(run)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("asked no Argilla: this is what is in the journal\n")
    assert "1 of 4 paraphrases checked by people (1): 0 accepted, 1 rejected" in told
    assert told.splitlines()[-1].split() == ["zoe", "1"]
