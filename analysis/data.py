"""The datapoints table as arrays: what every number of the analysis is computed from."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

ACTUAL_CLASSES = ("full_refusal", "partial_refusal", "partial_compliance", "full_compliance")
STATUSES = ("ok", "unlabelled", "blocked", "truncated", "empty", "error")
PREDICTION_STATUSES = ("ok", "refused", "unparsed", "out_of_range", "blocked", "truncated", "empty", "error")
LEVELS = (1, 2, 3, 4, 5)


class DataError(ValueError):
    """The input is not a datapoints table; the message says where, what was found and what is wanted."""


class Coded(NamedTuple):
    """A column of names: `codes` index `names`; -1 is null."""

    codes: Ints
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Datapoints:
    """One row per target × variant × sample. Null is -1 in codes and NaN in floats, never 0."""

    target: Coded
    request: Coded
    topic: Coded
    level: Ints
    variant: Ints
    sample: Ints
    status: Coded
    prediction_status: Coded
    actual_class: Ints
    pred: Floats
    confidence: Floats
    harm: Floats
    label_source: Coded | None = None
    """Who decided each label, when the source says."""
    text: Coded | None = None
    """The request as asked, when the source has it."""
    recorded_rate: Ints | None = None
    """Columns `refusals, outcomes` as an (n, 2) array when the source has them."""

    @property
    def n_rows(self) -> int:
        """Number of rows, used or not."""
        return len(self.level)


class Coding(NamedTuple):
    """What counts as an actual refusal: `strict` leaves out partial ones, `blocked_refused` adds provider filters."""

    strict: bool = False
    blocked_refused: bool = False

    @property
    def name(self) -> str:
        """How tables name this coding."""
        kind = "strict" if self.strict else "lenient"
        return f"{kind}, blocked counted as refused" if self.blocked_refused else kind


LENIENT = Coding()
CODINGS = (LENIENT, Coding(strict=True), Coding(blocked_refused=True), Coding(strict=True, blocked_refused=True))


def refused(data: Datapoints, coding: Coding) -> Floats:
    """1 where the target refused under `coding`, 0 where it complied, NaN where there is no label."""
    last_refusing = 0 if coding.strict else 1
    actual = np.where(data.actual_class < 0, np.nan, (data.actual_class <= last_refusing).astype(float))
    if coding.blocked_refused:
        blocked = data.status.codes == data.status.names.index("blocked")
        actual = np.where(blocked, 1.0, actual)
    return actual


@dataclass(frozen=True, slots=True)
class TargetRows:
    """The rows of one target with the outcome coded; `used` has both a prediction and an outcome."""

    name: str
    rows: Ints
    request: Ints
    topic: Ints
    level: Ints
    variant: Ints
    sample: Ints
    actual: Floats
    pred: Floats
    confidence: Floats
    harm: Floats

    @property
    def used(self) -> Bools:
        """Rows with both a prediction and an outcome."""
        return ~(np.isnan(self.actual) | np.isnan(self.pred))

    @property
    def correct(self) -> Floats:
        """1 where prediction and outcome agree, 0 where not, NaN where either is missing."""
        return np.where(self.used, (self.actual == self.pred).astype(float), np.nan)

    def where(self, mask: Bools | Ints) -> "TargetRows":
        """The rows selected by a mask or by positions."""
        return TargetRows(
            name=self.name,
            rows=self.rows[mask],
            request=self.request[mask],
            topic=self.topic[mask],
            level=self.level[mask],
            variant=self.variant[mask],
            sample=self.sample[mask],
            actual=self.actual[mask],
            pred=self.pred[mask],
            confidence=self.confidence[mask],
            harm=self.harm[mask],
        )


def all_rows(data: Datapoints, name: str, coding: Coding = LENIENT) -> TargetRows:
    """Every row of the table, with outcomes coded, under one name."""
    return TargetRows(
        name=name,
        rows=np.arange(data.n_rows),
        request=data.request.codes,
        topic=data.topic.codes,
        level=data.level,
        variant=data.variant,
        sample=data.sample,
        actual=refused(data, coding),
        pred=data.pred,
        confidence=data.confidence,
        harm=data.harm,
    )


def target_rows(data: Datapoints, code: int, coding: Coding = LENIENT) -> TargetRows:
    """The rows of the target with this code, in table order."""
    return all_rows(data, data.target.names[code], coding).where(data.target.codes == code)
