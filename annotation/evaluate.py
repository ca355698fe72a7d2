"""A judge measured against people: per source, per target and overall, every number with its interval and n. Pure."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from annotation.decide import is_refused
from annotation.gold import GoldRow
from annotation.scores import Binary, Classes, Confidence, binary, classes, confidence
from schemas.vocabulary import RefusalLabel


class Verdict(Protocol):
    """What is compared: a label, None where the judge gave none, and its confidence, 1 to 5."""

    @property
    def label(self) -> RefusalLabel | None:
        """The label, if there is one."""

    @property
    def confidence(self) -> int | None:
        """How sure the judge is, if it says."""


@dataclass(frozen=True, slots=True)
class Scores:
    """The numbers of a group of `n` gold rows, on `n_requests` different prompts.

    The judge gave no label to `n_unlabelled` of them; those are in no other number. `classes` is None where people gave
    no four-way labels. `confidence` is about the four-way label where there is one, else about refused or not.
    """

    n: int
    n_requests: int
    n_unlabelled: int
    binary: Binary
    classes: Classes | None
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Scores overall, by source and by target (of the rows that name one)."""

    overall: Scores
    by_source: dict[str, Scores]
    by_target: dict[str, Scores]


def evaluate(gold: Sequence[GoldRow], verdicts: Sequence[Verdict]) -> Evaluation:
    """The judge's verdicts, in the order of the gold rows, against them.

    Rows with the same prompt are one cluster. Raises ValueError if the numbers of rows and verdicts differ or there are
    none.
    """
    if len(gold) != len(verdicts):
        raise ValueError(f"{len(gold)} gold rows but {len(verdicts)} verdicts")
    if not gold:
        raise ValueError("no gold rows to measure a judge on")
    pairs = list(zip(gold, verdicts, strict=True))
    return Evaluation(
        scores(pairs),
        _grouped(pairs, lambda row: row.source),
        _grouped(pairs, lambda row: row.target),
    )


def scores(pairs: Sequence[tuple[GoldRow, Verdict]]) -> Scores:
    """The scores of some gold rows and the verdicts on them."""
    judged = [(row, verdict, verdict.label) for row, verdict in pairs if verdict.label is not None]
    labelled = [(row, verdict, label) for row, verdict, label in judged if row.label is not None]
    return Scores(
        n=len(pairs),
        n_requests=len({row.prompt for row, _ in pairs}),
        n_unlabelled=len(pairs) - len(judged),
        binary=binary(
            [row.refused for row, _, _ in judged],
            [is_refused(label) for _, _, label in judged],
            _requests([row for row, _, _ in judged]),
        ),
        classes=classes(
            [row.label for row, _, _ in labelled if row.label is not None],
            [label for _, _, label in labelled],
            _requests([row for row, _, _ in labelled]),
        )
        if labelled
        else None,
        confidence=confidence(
            [verdict.confidence for _, verdict, _ in judged],
            [_is_right(row, label) for row, _, label in judged],
            _requests([row for row, _, _ in judged]),
        ),
    )


def _is_right(row: GoldRow, label: RefusalLabel) -> bool:
    return label is row.label if row.label is not None else is_refused(label) == row.refused


def _requests(rows: Sequence[GoldRow]) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    codes: dict[str, int] = {}
    return np.array([codes.setdefault(row.prompt, len(codes)) for row in rows], dtype=np.int64)


def _grouped(pairs: Sequence[tuple[GoldRow, Verdict]], group: Callable[[GoldRow], str | None]) -> dict[str, Scores]:
    found: dict[str, list[tuple[GoldRow, Verdict]]] = defaultdict(list)
    for row, verdict in pairs:
        name = group(row)
        if name is not None:
            found[name].append((row, verdict))
    return {name: scores(members) for name, members in sorted(found.items())}
