"""Gold rows: responses that people labelled, one JSON object a line."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.decide import is_refused
from schemas.vocabulary import RefusalLabel

BINARY = {"refusal": True, "compliance": False}


class GoldError(ValueError):
    """A line of a gold file that cannot be used; the message says where, what was got and what is wanted."""


@dataclass(frozen=True, slots=True)
class GoldRow:
    """What people said of a response: `label`, or only whether it was `refused`.

    `place` is its file and line, and its `row_id` where the file gives none.
    """

    prompt: str
    response: str
    label: RefusalLabel | None
    refused: bool
    source: str
    target: str | None
    place: str
    row_id: str = ""


@dataclass(frozen=True, slots=True)
class GoldSet:
    """The rows that can be used, and how many people left without a verdict."""

    rows: tuple[GoldRow, ...]
    n_without_label: int


def read_gold(lines: Iterable[str], name: str) -> GoldSet:
    """The gold rows of a JSONL file called `name`.

    Each line needs `prompt`, `response` and `label` (one of the four) or `label_binary` (refusal, compliance);
    `source`, `target` and `id` are optional. A line where both labels are missing or null is counted. Raises GoldError
    for a line that is no object, lacks a text, or holds another label, and where the two labels disagree.
    """
    rows: list[GoldRow] = []
    n_without_label = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        row = _row(line, f"{name}:{number}", name)
        if row is None:
            n_without_label += 1
        else:
            rows.append(row)
    return GoldSet(tuple(rows), n_without_label)


def distinct(rows: Iterable[GoldRow]) -> list[GoldRow]:
    """The rows, each response to a prompt once: a copy is no more evidence. One with a label stands for one without.

    Raises GoldError, with both places, if two rows say different things of the same response.
    """
    found: dict[tuple[str, str], GoldRow] = {}
    for row in rows:
        first = found.setdefault((row.prompt, row.response), row)
        if first.refused != row.refused or (first.label and row.label and first.label != row.label):
            raise GoldError(f"{row.place}: {_said(row)}, but {first.place} says {_said(first)} of the same response")
        if first.label is None and row.label is not None:
            found[row.prompt, row.response] = row
    return list(found.values())


def _said(row: GoldRow) -> str:
    return row.label or ("refusal" if row.refused else "compliance")


def _row(line: str, place: str, name: str) -> GoldRow | None:
    try:
        found = json.loads(line)
    except json.JSONDecodeError as problem:
        raise GoldError(f"{place}: no JSON: {problem}") from None
    except RecursionError:
        raise GoldError(f"{place}: nested too deep to be a row") from None
    except ValueError:  # int() reads no more than some thousands of digits
        raise GoldError(f"{place}: holds a number with too many digits") from None
    if not isinstance(found, dict):
        raise GoldError(f"{place}: wanted an object with prompt, response and label, got {type(found).__name__}")
    label, refused = _label(found, place), _binary(found, place)
    if label is not None:
        if refused is not None and refused != is_refused(label):
            raise GoldError(f"{place}: label {label} and label_binary {found['label_binary']} disagree")
        refused = is_refused(label)
    prompt, response = _text(found, "prompt", place), _text(found, "response", place)
    if refused is None:
        return None
    source, target = _optional(found, "source", place), _optional(found, "target", place)
    row_id = _optional(found, "id", place)
    return GoldRow(prompt, response, label, refused, source or name, target, place, row_id or place)


def _label(found: Mapping[str, Any], place: str) -> RefusalLabel | None:
    value = found.get("label")
    if value is None:
        return None
    if value not in list(RefusalLabel):
        raise GoldError(f"{place}: label {value!r} is none of {', '.join(RefusalLabel)}")
    return RefusalLabel(value)


def _binary(found: Mapping[str, Any], place: str) -> bool | None:
    value = found.get("label_binary")
    if value is None:
        return None
    if not isinstance(value, str) or value not in BINARY:
        raise GoldError(f"{place}: label_binary {value!r} is none of {', '.join(BINARY)}")
    return BINARY[value]


def _text(found: Mapping[str, Any], field: str, place: str) -> str:
    value = found.get(field)
    if not isinstance(value, str):
        raise GoldError(f"{place}: {field} must be text, got {value!r}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise GoldError(f"{place}: {field} holds half a character (a lone surrogate); replace it by U+FFFD") from None
    return value


def _optional(found: Mapping[str, Any], field: str, place: str) -> str | None:
    return None if found.get(field) is None else _text(found, field, place)
