"""Labelling in a spreadsheet: items out as CSV, answers back. No cell of the table can act as a formula."""

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

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

    Raises SpreadsheetError, and takes nothing, if a column is missing, a response is not in this run or has two
    answers, an answer is not among the words offered, or a confidence or note stands without a label.
    """
    found: dict[str, tuple[int, Annotation]] = {}
    rows = read_table(text, "response_key", ("label",), known)
    for line, answer in _answers(rows, annotator, known, guidelines_version, at):
        first, said = found.setdefault(answer.response_key, (line, answer))
        if said != answer:
            raise twice(line, first, f"response {answer.response_key[:16]!r}")
    return [answer for _, answer in found.values()]


def twice(line: int, first: int, what: str) -> SpreadsheetError:
    """The error of two different answers about one thing."""
    return SpreadsheetError(f"line {line}: the {what} has another answer on line {first}; keep one of them")


def unrecorded(answers: Iterable[Annotation], recorded: Iterable[Annotation]) -> list[Annotation]:
    """The answers that say something else than the last one on record: the same table twice adds nothing."""
    last = {(a.response_key, a.annotator, a.role): _content(a) for a in recorded}
    return [a for a in answers if last.get((a.response_key, a.annotator, a.role)) != _content(a)]


def _content(answer: Annotation) -> tuple[object, ...]:
    return (answer.status, answer.label, answer.confidence, answer.note)


def read_table(
    text: str, key: str, answers: Collection[str], known: Collection[str]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Line number and cells by column of each line of a CSV.

    Spreadsheets may leave out empty cells at the end of a line; but a short line whose `key` is not among the `known`
    is a piece of a broken one. Raises SpreadsheetError for such a line, for one with more cells than columns, and if
    the key's or an answer's column is missing or two columns have one name.
    """
    body = text.removeprefix("\ufeff")
    # German and French spreadsheets write semicolons.
    delimiter = ";" if body.partition("\n")[0].count(";") > body.partition("\n")[0].count(",") else ","
    reader = csv.DictReader(io.StringIO(body, newline=""), delimiter=delimiter, strict=True)
    try:
        _check_header(reader.fieldnames or (), {key, *answers})
        for row in reader:
            cells = _cells(row, reader.line_num)
            broken = cells.get(key, "").strip() not in known and any(map(str.strip, cells.values()))
            if len(cells) < len(row) and broken:
                raise SpreadsheetError(
                    f"line {reader.line_num}: got {len(cells)} cells, want {len(row)}; save the table as CSV again"
                )
            yield reader.line_num, dict.fromkeys(reader.fieldnames or (), "") | cells
    except csv.Error as error:
        raise SpreadsheetError(f"line {reader.reader.line_num}: {error}; save the table as CSV again") from error


def _check_header(names: Sequence[str], wanted: Collection[str]) -> None:
    missing = sorted(set(wanted) - set(names))
    if not names:
        raise SpreadsheetError("the table is empty; save it as CSV again")
    if len(names) == 1 and set(wanted) <= set(names[0].split("\t")):
        raise SpreadsheetError("the table is separated by tabs: want commas; save it as CSV again")
    if missing:
        raise SpreadsheetError(f"the table has no column {', '.join(missing)}; keep the header of the export")
    double = sorted(name for name, count in Counter(names).items() if name and count > 1)
    if double:
        raise SpreadsheetError(f"the table has two columns {', '.join(double)}; keep the header of the export")


def _cells(row: Mapping[str | None, str | list[str] | None], line: int) -> dict[str, str]:
    """The cells that are there: DictReader gives surplus ones as a list under None, and None for each missing one."""
    if None in row:
        raise SpreadsheetError(f"line {line}: more cells than columns; put text that holds the separator in quotes")
    return {name: value for name, value in row.items() if name is not None and isinstance(value, str)}


def _answers(
    rows: Iterator[tuple[int, dict[str, str]]],
    annotator: str,
    known: Collection[str],
    guidelines_version: str,
    at: str,
) -> Iterator[tuple[int, Annotation]]:
    for line, row in rows:
        said = row["label"].strip().lower().replace(" ", "_")
        if not said:
            check_empty(row, ("confidence", "note"), line, f"a label ({CANNOT_TELL} and {SKIP} are two)")
            continue
        key = row["response_key"].strip()
        if key not in known:
            raise SpreadsheetError(f"line {line}: the response {key[:16]!r} is not in this run")
        if said not in WORDS:
            raise SpreadsheetError(f"line {line}: got the label {row['label']!r}, want one of {', '.join(WORDS)}")
        skipped = said in (SKIP, DISTRESSING)
        answer = Annotation(
            response_key=key,
            annotator=annotator,
            status="discarded" if skipped else "submitted",
            label=RefusalLabel(said) if said in set(RefusalLabel) else None,
            confidence=None if skipped else _confidence(row.get("confidence", ""), line),
            note=_note(row.get("note", ""), said),
            guidelines_version=guidelines_version,
            at=at,
        )
        yield line, answer


def check_empty(row: Mapping[str, str], columns: Iterable[str], line: int, wanted: str) -> None:
    """Raises SpreadsheetError if a line without an answer holds more of one, which would be lost."""
    filled = [name for name in columns if row.get(name, "").strip()]
    if filled:
        raise SpreadsheetError(f"line {line}: {' and '.join(filled)} without {wanted}: give one, or empty the cell")


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
