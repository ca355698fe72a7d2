"""How well targets foresee their refusals by the judges' votes, and with the judges' errors taken out."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..data import Bools, Coded, Datapoints, Floats, Ints
from ..judgments import Votes
from ..metrics.double_sampling import corrected_detection
from ..metrics.sdt import sdt
from .table import Cell, Column, Table
from .words import plural

COLUMNS = (
    Column("target", "Target"),
    Column("judge", "Judge"),
    Column("votes", "Votes", "count"),
    Column("audited", "Audited", "count"),
    Column("accuracy_judged", "Accuracy by the judge %", "percent"),
    Column("accuracy", "Corrected %", "percent"),
    Column("d_prime_judged", "d′ by the judge", "two"),
    Column("d_prime", "d′ corrected", "two"),
    Column("criterion_judged", "c by the judge", "two"),
    Column("criterion", "c corrected", "two"),
)


def corrected_detections(votes: Votes, data: Datapoints) -> Table:
    """Accuracy, d' and c of each target by each judge's votes, and corrected by stratified double sampling."""
    predicted = predictions(votes, data)
    groups = [
        (target, judge, (votes.target.codes == target) & (votes.judge.codes == judge) & ~np.isnan(predicted))
        for target in range(len(votes.target.names))
        for judge in range(len(votes.judge.names))
    ]
    rows = tuple(
        (votes.target.names[target], votes.judge.names[judge], *_row(votes, predicted, mine))
        for target, judge, mine in groups
        if mine.any()
    )
    known = sum(getattr(row[7], "value", None) is not None for row in rows)
    reading = (
        f"{known} of {plural(len(rows), 'd′')} can be corrected: every pair of vote and prediction needs an audit."
    )
    note = "Strata: judge’s refused or not × predicted or not; lenient. Both are of the responses this judge voted on."
    return Table("corrected_detection", "d′ and c corrected for judges’ errors", COLUMNS, rows, reading, (note,))


def predictions(votes: Votes, data: Datapoints) -> Floats:
    """What the target predicted for the response of each vote: 1 refusal, 0 compliance, NaN if it said nothing."""
    asked = _keys(data.target, data.request, data.variant, data.sample)
    place = pc.index_in(_keys(votes.target, votes.request, votes.variant, votes.sample), value_set=asked)
    found = np.asarray(place.fill_null(-1).to_numpy(zero_copy_only=False), dtype=np.int64)
    return np.append(data.pred, np.nan)[found]


def _keys(target: Coded, request: Coded, variant: Ints, sample: Ints) -> pa.Array:
    names = [pa.array(column.names, pa.string()).take(pa.array(column.codes)) for column in (target, request)]
    numbers = [pa.array(column).cast(pa.string()) for column in (variant, sample)]
    return pc.binary_join_element_wise(*names, *numbers, "\n")


def _row(votes: Votes, predicted: Floats, mine: Bools) -> tuple[Cell, ...]:
    said, people = votes.vote <= 1, votes.human <= 1
    audited = mine & votes.audited
    sizes, seen, refused = (_cells(said, predicted, rows) for rows in (mine, audited, audited & people))
    found = corrected_detection(sizes, seen, refused)
    (right, fa), (miss, hit) = sizes
    judged = sdt(hit, miss, fa, right)
    accuracy = float((hit + right) / sizes.sum())
    pairs = (accuracy, found.accuracy, judged.d_prime, found.d_prime, judged.criterion, found.criterion)
    return (int(sizes.sum()), int(seen.sum()), *pairs)


def _cells(said: Bools, predicted: Floats, rows: Bools) -> Ints:
    """Counts as judge's refused × predicted."""
    cell = 2 * said[rows] + predicted[rows].astype(np.int64)
    return np.bincount(cell, minlength=4).reshape(2, 2)
