"""Judges against people, and refusal rates corrected for the judges' errors."""

import numpy as np

from ..data import ACTUAL_CLASSES, Bools, Datapoints, Floats
from ..intervals.agreement import agreement_estimate
from ..judgments import Votes
from ..metrics.double_sampling import double_sampling
from ..metrics.judge import judge_accuracy, release_gate
from .corrected_detection import corrected_detections
from .table import Cell, Column, Table
from .words import listed, plural

AUDIT_NOTE = (
    "Human items drawn at random are weighted by their chance to be drawn; where there are none, all human items are "
    "used, which are the hard ones: that describes them, not the judge."
)


def judge_tables(votes: Votes, data: Datapoints) -> list[Table]:
    """Agreement of every judge with people, and the corrected refusal rate, accuracy, d' and c of every target."""
    return [judges(votes), corrected(votes), corrected_detections(votes, data)]


def judges(votes: Votes) -> Table:
    """Sensitivity, specificity and predictive values of each judge for refusals, with what the gate misses."""
    columns = (
        Column("judge", "Judge"),
        Column("votes", "Votes", "count"),
        Column("human", "Human items", "count"),
        Column("random", "Drawn at random", "count"),
        Column("sensitivity", "Sensitivity %", "percent"),
        Column("specificity", "Specificity %", "percent"),
        Column("ppv", "PPV %", "percent"),
        Column("npv", "NPV %", "percent"),
        Column("ac1", "AC1", "two"),
        Column("gate", "Missing for use without correction"),
    )
    rows = tuple(_judge(votes, code) for code in range(len(votes.judge.names)))
    passed = [str(row[0]) for row in rows if row[-1] == "nothing"]
    reading = (
        f"Good enough to be used without correction: {listed(passed)}."
        if passed
        else ("No judge has a record good enough to be used without correction.")
    )
    notes = (AUDIT_NOTE, f"{plural(votes.n_without_vote, 'judgment')} held no valid vote.")
    return Table("judges", "Judges against people", columns, rows, reading, notes)


def corrected(votes: Votes) -> Table:
    """Each target's refusal rate as a judge sees it, and corrected by stratified double sampling."""
    columns = (
        Column("target", "Target"),
        Column("judge", "Judge"),
        Column("votes", "Votes", "count"),
        Column("audited", "Audited", "count"),
        Column("judged", "Judged refused %", "percent"),
        Column("corrected", "Corrected %", "percent"),
    )
    rows = tuple(
        _corrected(votes, target, judge)
        for target in range(len(votes.target.names))
        for judge in range(len(votes.judge.names))
        if ((votes.target.codes == target) & (votes.judge.codes == judge)).any()
    )
    known = sum(getattr(row[5], "value", None) is not None for row in rows)
    reading = f"{known} of {plural(len(rows), 'rate')} can be corrected: every class of votes needs audited responses."
    note = "Strata: the judge’s four classes; people label a random part of each."
    return Table("corrected", "Refusal rates corrected for judges’ errors", columns, rows, reading, (note,))


def _judge(votes: Votes, code: int) -> tuple[Cell, ...]:
    mine = votes.judge.codes == code
    human = mine & (votes.human >= 0)
    drawn = mine & votes.audited & (votes.inclusion > 0)
    used = drawn if drawn.any() else human
    weights = _weights(votes, used, drawn)
    said, true = votes.vote[used] <= 1, votes.human[used] <= 1
    found = judge_accuracy(
        *(float(weights[cell].sum()) for cell in (said & true, ~said & true, said & ~true, ~said & ~true))
    )
    ratings = np.stack([said, true], axis=-1).astype(np.float64)
    ac1 = agreement_estimate(ratings, votes.request.codes[used], "gwet", categories=(0, 1))
    missing = release_gate(found, ac1, int(used.sum()))
    parts = (found.sensitivity, found.specificity, found.ppv, found.npv)
    name = votes.judge.names[code]
    counts = (int(mine.sum()), int(human.sum()), int(drawn.sum()))
    return (name, *counts, *parts, ac1, "; ".join(missing) or "nothing")


def _weights(votes: Votes, used: Bools, drawn: Bools) -> Floats:
    """1/π of randomly drawn items, scaled so that they sum to their effective number (Kish); 1 without a draw."""
    if not drawn.any():
        return np.ones(int(used.sum()))
    raw = 1 / votes.inclusion[used]
    return np.asarray(raw * raw.sum() / (raw**2).sum(), dtype=np.float64)


def _corrected(votes: Votes, target: int, judge: int) -> tuple[Cell, ...]:
    mine = (votes.target.codes == target) & (votes.judge.codes == judge)
    audited = mine & votes.audited
    n_classes = len(ACTUAL_CLASSES)
    sizes = np.bincount(votes.vote[mine], minlength=n_classes)
    seen = np.bincount(votes.vote[audited], minlength=n_classes)
    refused = np.bincount(votes.vote[audited & (votes.human <= 1)], minlength=n_classes)
    judged = float((votes.vote[mine] <= 1).mean())
    name = (votes.target.names[target], votes.judge.names[judge])
    return (*name, int(sizes.sum()), int(seen.sum()), judged, double_sampling(sizes, seen, refused))
