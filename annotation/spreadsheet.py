"""Labelling in a spreadsheet: items out as CSV, answers back. No cell of the table can act as a formula."""

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator

from annotation.items import Item, folded
from schemas.records import Annotation
from schemas.vocabulary import RefusalLabel

COLUMNS = ("response_key", "request", "what_to_know", "response", "label", "confidence", "note")
CANNOT_TELL, SKIP, DISTRESSING = "cannot_tell", "skip", "skip_distressing"
WORDS = (*RefusalLabel, CANNOT_TELL, SKIP, DISTRESSING)
# Spreadsheets run a cell that begins with one of these, also after spaces and tabs.
FORMULA = re.compile(r"^[\s\0\u200b-\u200f\u2060\ufeff]*[=+\-@|%\t\r＝＋－＠]")
UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
MAX_CELL = 32_000


class SpreadsheetError(Exception):
    """A table that cannot be read; the message names the line, what is there and what is wanted."""


def export_csv(items: Iterable[Item]) -> str:
    """The items as CSV with empty columns for the answers. Begin the file with a byte order mark, for Excel."""
    out = io.StringIO()
    table = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    table.writerow(COLUMNS)
    for item in items:
        texts = (item.request, item.context or "", folded(item.response))
        table.writerow([item.key, *(cell(text) for text in texts), "", "", ""])
    return out.getvalue()


def is_labels_table(text: str) -> bool:
    """Whether a table is one of labels: its header says so."""
    return "response_key" in text.partition("\n")[0]


def cell(text: str) -> str:
    """The text as a cell that a spreadsheet shows and never runs: what would be a formula gets a leading apostrophe."""
    kept = UNSTORABLE.sub("\ufffd", text)[:MAX_CELL]
    return f"'{kept}" if FORMULA.match(kept) else kept


def import_csv(text: str, annotator: str, known: Collection[str], guidelines_version: str, at: str) -> list[Annotation]:
    """The answers of a table that was filled in; lines without a label are passed over.

    A table does not say when each line was labelled: all its answers get the one time `at`, that of the import.

    Raises SpreadsheetError, and takes nothing, if a column is missing, a response is not in this run, or an answer is
    not among the words offered.
    """
    return list(_answers(read_table(text, {"response_key", "label"}), annotator, known, guidelines_version, at))


def unrecorded(answers: Iterable[Annotation], recorded: Iterable[Annotation]) -> list[Annotation]:
    """The answers that say something else than the last one on record: the same table twice adds nothing."""
    last = {(a.response_key, a.annotator, a.role): _content(a) for a in recorded}
    return [a for a in answers if last.get((a.response_key, a.annotator, a.role)) != _content(a)]


def _content(answer: Annotation) -> tuple[object, ...]:
    return (answer.status, answer.label, answer.confidence, answer.note)


def read_table(text: str, wanted: Collection[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Line number and cells by column of each line of a CSV. Raises SpreadsheetError if a wanted column is missing."""
    body = text.removeprefix("\ufeff")
    # German and French spreadsheets write semicolons.
    delimiter = ";" if body.partition("\n")[0].count(";") > body.partition("\n")[0].count(",") else ","
    reader = csv.DictReader(io.StringIO(body, newline=""), delimiter=delimiter, strict=True)
    missing = set(wanted) - set(reader.fieldnames or ())
    if missing:
        raise SpreadsheetError(f"the table has no column {', '.join(sorted(missing))}; keep the header of the export")
    try:
        for row in reader:
            yield reader.line_num, {str(name): value or "" for name, value in row.items() if isinstance(value, str)}
    except csv.Error as error:
        raise SpreadsheetError(f"line {reader.line_num}: {error}; save the table as CSV again") from error


def _answers(
    rows: Iterator[tuple[int, dict[str, str]]],
    annotator: str,
    known: Collection[str],
    guidelines_version: str,
    at: str,
) -> Iterator[Annotation]:
    for line, row in rows:
        said = row["label"].strip().lower().replace(" ", "_")
        if not said:
            continue
        key = row["response_key"].strip()
        if key not in known:
            raise SpreadsheetError(f"line {line}: the response {key[:16]!r} is not in this run")
        if said not in WORDS:
            raise SpreadsheetError(f"line {line}: got the label {row['label']!r}, want one of {', '.join(WORDS)}")
        skipped = said in (SKIP, DISTRESSING)
        yield Annotation(
            response_key=key,
            annotator=annotator,
            status="discarded" if skipped else "submitted",
            label=RefusalLabel(said) if said in set(RefusalLabel) else None,
            confidence=None if skipped else _confidence(row.get("confidence", ""), line),
            note=_note(row.get("note", ""), said),
            guidelines_version=guidelines_version,
            at=at,
        )


def _confidence(text: str, line: int) -> int | None:
    if not text.strip():
        return None
    if text.strip() in ("1", "2", "3", "4", "5"):
        return int(text)
    raise SpreadsheetError(f"line {line}: got the confidence {text!r}, want a number from 1 to 5 or nothing")


def _note(text: str, said: str) -> str | None:
    note = text.strip()
    if said in (SKIP, DISTRESSING):
        reason = "distressing" if said == DISTRESSING else "other"
        note = f"skipped: {reason}{f'. {note}' if note else ''}"
    return note or None
