"""Checking paraphrases in a spreadsheet: pairs out as CSV, answers back, by the rules of `annotation.spreadsheet`."""

import csv
import io
from collections.abc import Collection, Iterable, Iterator, Mapping

from annotation.pairs import Pair
from annotation.spreadsheet import CANNOT_TELL, SpreadsheetError, cell, check_empty, read_table, twice
from schemas.records import ParaphraseCheck

ANSWERS = ("same_intent", "same_level", "kind_fits")
COLUMNS = ("pair_key", "request", "paraphrase", "kind", *ANSWERS, "note")
WORDS: Mapping[str, bool | None] = {"yes": True, "no": False, CANNOT_TELL: None}


def is_pairs_table(text: str) -> bool:
    """Whether a table is one of paraphrases: its header says so."""
    return "pair_key" in text.partition("\n")[0]


def export_pairs(pairs: Iterable[Pair]) -> str:
    """The pairs as CSV with empty columns for the answers. Begin the file with a byte order mark, for Excel."""
    out = io.StringIO()
    table = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    table.writerow(COLUMNS)
    for pair in pairs:
        table.writerow([pair.key, cell(pair.base), cell(pair.text), pair.kind, *("" for _ in ANSWERS), ""])
    return out.getvalue()


def import_pairs(
    text: str, annotator: str, known: Collection[str], guidelines_version: str, at: str
) -> list[ParaphraseCheck]:
    """The answers of a table that was filled in; lines without any are passed over, missing ones are "cannot tell".

    Raises SpreadsheetError, and takes nothing, if a column is missing, a pair is not of this run or has two answers, an
    answer is not among the words offered, or a note stands without one.
    """
    found: dict[str, tuple[int, ParaphraseCheck]] = {}
    for line, check in _checks(text, annotator, known, guidelines_version, at):
        first, said = found.setdefault(check.pair_key, (line, check))
        if said != check:
            raise twice(line, first, f"pair {check.pair_key[:16]!r}")
    return [check for _, check in found.values()]


def unrecorded_answers(
    answers: Iterable[ParaphraseCheck], recorded: Iterable[ParaphraseCheck]
) -> list[ParaphraseCheck]:
    """The answers that say something else than the last one on record: the same table twice adds nothing."""
    last = {(check.pair_key, check.annotator): _content(check) for check in recorded}
    return [check for check in answers if last.get((check.pair_key, check.annotator)) != _content(check)]


def _content(check: ParaphraseCheck) -> tuple[object, ...]:
    return (check.status, check.same_intent, check.same_level, check.kind_fits, check.note)


def _checks(
    text: str, annotator: str, known: Collection[str], guidelines_version: str, at: str
) -> Iterator[tuple[int, ParaphraseCheck]]:
    for line, row in read_table(text, "pair_key", ANSWERS, known):
        said = [row.get(name, "").strip().lower().replace(" ", "_") for name in ANSWERS]
        if not any(said):
            check_empty(row, ("note",), line, "an answer")
            continue
        key = row["pair_key"].strip()
        if key not in known:
            raise SpreadsheetError(f"line {line}: the pair {key[:16]!r} is not in this run; its text may have changed")
        wrong = next((word for word in said if word and word not in WORDS), None)
        if wrong is not None:
            raise SpreadsheetError(f"line {line}: got the answer {wrong!r}, want one of {', '.join(WORDS)}")
        intent, level, kind = (WORDS.get(word) for word in said)
        note = row.get("note", "").strip() or None
        yield line, ParaphraseCheck(key, annotator, "submitted", intent, level, kind, note, guidelines_version, at)
