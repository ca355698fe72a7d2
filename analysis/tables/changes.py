"""Two versions of a dataset: what was added, removed, relabelled or answered anew, and what moved beyond noise."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..data import ACTUAL_CLASSES, Floats, Ints, TargetRows
from ..metrics.holm import holm
from ..study import Study, item_keys
from .pairs import common, differences
from .table import Cell, Column, Table
from .words import listed, plural


def changes(old: Study, new: Study) -> list[Table]:
    """What `new` changed against `old`."""
    return [changed_rows(old, new), relabelled(old, new), moved(old, new)]


def changed_rows(old: Study, new: Study) -> Table:
    """Rows of each target before and after, and what became of the items."""
    earlier = aligned(old, new)
    later = {target.name: target for target in new.targets}
    columns = (
        Column("target", "Target"),
        Column("rows_old", "Rows before", "count"),
        Column("rows_new", "Rows now", "count"),
        Column("used_old", "Used before", "count"),
        Column("used_new", "Used now", "count"),
        Column("added", "Items added", "count"),
        Column("removed", "Items removed", "count"),
        Column("outcomes", "Outcome changed", "count"),
        Column("predictions", "Prediction changed", "count"),
        Column("confidences", "Confidence changed", "count"),
    )
    names = sorted({*earlier, *later})
    rows = tuple(_rows(name, earlier.get(name), later.get(name), old, new) for name in names)
    only_old, only_new = [n for n in names if n not in later], [n for n in names if n not in earlier]
    parts = [f"{listed(only_old)} left out" if only_old else "", f"{listed(only_new)} added" if only_new else ""]
    altered = sum(value for row in rows for value in row[5:] if isinstance(value, int))
    parts.append(f"{plural(altered, 'difference')} in items, outcomes, predictions and confidences of targets in both")
    return Table("changed_rows", "What changed", columns, rows, "; ".join(part for part in parts if part) + ".")


def relabelled(old: Study, new: Study) -> Table:
    """Where the outcome class of the same item differs: from what, to what, how often."""
    found: dict[tuple[str, str, str], int] = {}
    later = {target.name: target for target in new.targets}
    for name, before in aligned(old, new).items():
        if name not in later:
            continue
        left, right = _same_items(before, later[name])
        first, second = old.data.actual_class[before.rows[left]], new.data.actual_class[later[name].rows[right]]
        for one, two in zip(first[first != second], second[first != second], strict=True):
            key = (name, _class(int(one)), _class(int(two)))
            found[key] = found.get(key, 0) + 1
    columns = (Column("target", "Target"), Column("old", "Before"), Column("new", "Now"), Column("n", "Rows", "count"))
    rows = tuple((*key, count) for key, count in sorted(found.items()))
    reading = f"{plural(sum(found.values()), 'outcome')} differ." if found else "No outcome differs."
    return Table("relabelled", "Outcomes that changed class", columns, rows, reading)


def moved(old: Study, new: Study) -> Table:
    """Now minus before of each target on the items usable in both, with paired intervals."""
    later = {target.name: target for target in new.targets}
    pairs = [common(before, later[name]) for name, before in aligned(old, new).items() if name in later]
    compared = [(pair, differences(pair, new.settings, ("d_prime", "criterion", "ece"))) for pair in pairs]
    adjusted = holm([found.p for _, found in compared])
    rows = tuple(
        (pair.first.name, len(pair.first.rows), found.accuracy, found.p, p_holm, *found.others)
        for (pair, found), p_holm in zip(compared, adjusted, strict=True)
    )
    columns = (
        Column("target", "Target"),
        Column("n", "n common", "count"),
        Column("accuracy", "Accuracy, points", "points"),
        Column("p", "p", "p"),
        Column("p_holm", "p, Holm", "p"),
        Column("d_prime", "d′", "two"),
        Column("criterion", "c", "two"),
        Column("ece", "ECE, k/5", "three"),
    )
    beyond = [str(row[0]) for row in rows if isinstance(row[4], float) and row[4] < 0.05]
    reading = f"Accuracy moved beyond noise for {listed(beyond)}." if beyond else "No accuracy moved beyond noise."
    note = (
        "Now minus before, on items usable in both. p: sign-flip permutation of request totals, Holm over targets. "
        "Intervals by request: accuracy cluster jackknife-t, the others paired cluster bootstrap."
    )
    return Table("moved", "Did the numbers move beyond noise?", columns, rows, reading, (note,))


def aligned(old: Study, new: Study) -> dict[str, TargetRows]:
    """The old version's targets with requests coded as in the new one; requests it lacks get codes of their own."""
    codes = {name: code for code, name in enumerate(new.data.request.names)}
    fresh = len(codes)
    mapping = np.array(
        [codes.get(name, fresh + place) for place, name in enumerate(old.data.request.names)], dtype=np.int64
    )
    return {target.name: replace(target, request=mapping[target.request]) for target in old.targets}


def _rows(name: str, before: TargetRows | None, now: TargetRows | None, old: Study, new: Study) -> tuple[Cell, ...]:
    counts = [None if rows is None else len(rows.rows) for rows in (before, now)]
    used = [None if rows is None else int(rows.used.sum()) for rows in (before, now)]
    if before is None or now is None:
        return (name, *counts, *used, None, None, None, None, None)
    left, right = _same_items(before, now)
    first, second = old.data.actual_class[before.rows[left]], new.data.actual_class[now.rows[right]]
    return (
        name,
        *counts,
        *used,
        len(now.rows) - len(right),
        len(before.rows) - len(left),
        int((first != second).sum()),
        _different(before.pred[left], now.pred[right]),
        _different(before.confidence[left], now.confidence[right]),
    )


class SameItems(NamedTuple):
    """Places of the items that both versions have, in each of them."""

    before: Ints
    now: Ints


def _same_items(before: TargetRows, now: TargetRows) -> SameItems:
    _, left, right = np.intersect1d(item_keys(before), item_keys(now), assume_unique=True, return_indices=True)
    return SameItems(left.astype(np.int64), right.astype(np.int64))


def _different(first: Floats, second: Floats) -> int:
    return int(((first != second) & ~(np.isnan(first) & np.isnan(second))).sum())


def _class(code: int) -> str:
    return "no label" if code < 0 else ACTUAL_CLASSES[code].replace("_", " ")
