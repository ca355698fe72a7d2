"""What a target's prediction adds: against rules without self-knowledge, other targets' predictions, and an oracle."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..data import Bools, Floats, TargetRows
from ..intervals.defaults import proportion_estimate
from ..intervals.paired import paired_jackknife
from ..metrics.accuracy import majority_accuracy
from ..metrics.baselines import majority_predictions, table_predictions, text_predictions, threshold_predictions
from ..metrics.ceiling import normalised_introspection, oracle_ceiling
from ..metrics.estimate import Estimate, defined
from ..metrics.leave_one_out import loo_majority_counts
from ..metrics.selective import share
from ..metrics.table import totals_by_request
from ..study import Study, item_keys
from .bins import RequestRates
from .table import Cell, Column, Table, shown
from .words import grouped

OWN = "its own prediction"


class Rival(NamedTuple):
    """A rule that predicts a target's outcomes: its name and a prediction (or NaN) a row."""

    name: str
    pred: Floats


def baselines(study: Study) -> Table:
    """Accuracy of every rule on a target's rows, and what the target's own prediction has over it."""
    rows: list[tuple[Cell, ...]] = []
    phrases: dict[str, str] = {}
    for target in study.targets:
        found = [_row(target, rival) for rival in rivals(study, target)]
        rows.extend([(target.name, OWN, int(target.used.sum()), study.numbers(target).accuracy, None), *found])
        rows.append(_leave_one_out(target))
        phrases[target.name] = _verdict(found)
    columns = (
        Column("target", "Target"),
        Column("predictor", "Predicted by"),
        Column("n", "n", "count"),
        Column("accuracy", "Accuracy %", "percent"),
        Column("own_minus", "Own prediction minus it, points", "points"),
    )
    notes = (
        "Thresholds, tables and words are learnt on the other requests (ten folds). “Words of the request”: naive "
        "Bayes. “Other outcomes of the request”: the majority of the request’s other rows, ties as half. Differences "
        "are on rows that both predict.",
        *(() if _has_texts(study) else ("The data holds no request texts, so nothing is predicted from words.",)),
    )
    reading = f"Own prediction against the best rule without self-knowledge: {grouped(phrases)}." if phrases else ""
    return Table("baselines", "Prediction against simpler predictors", columns, tuple(rows), reading, notes)


def ceilings(study: Study) -> Table:
    """Accuracy between the majority class and an oracle that knows each request's refusal rate."""
    rows = tuple(_ceiling(study, target) for target in study.targets)
    columns = (
        Column("target", "Target"),
        Column("requests", "Requests", "count"),
        Column("majority", "Majority %", "percent"),
        Column("accuracy", "Accuracy %", "percent"),
        Column("ceiling", "Oracle ceiling %", "percent"),
        Column("ceiling_plug_in", "Ceiling, plug-in %", "percent"),
        Column("ceiling_split_half", "Ceiling, split-half %", "percent"),
        Column("normalised", "Share of the way", "two"),
        Column("normalised_plug_in", "Share, plug-in", "two"),
    )
    known = {str(row[0]): _between(row[8], row[7]) for row in rows if row[7] is not None or row[8] is not None}
    reading = f"Share of the way from majority to oracle: {grouped(known)}." if known else "No ceiling can be placed."
    note = (
        "The oracle knows how often a request is refused, not the coin flip of a row. Plug-in rates put its accuracy "
        "too high, the posterior mean too low when a request has few outcomes; a share above 1 says no more than that. "
        "Split-half: the majority of half of a request’s outcomes, scored on the others; a ceiling lies above it."
    )
    return Table("ceilings", "How much there is to foresee", columns, rows, reading, (note,))


def rivals(study: Study, target: TargetRows) -> Iterator[Rival]:
    """The rules that predict a target's outcomes without asking it."""
    cell = target.topic * 8 + target.level
    yield Rival("the commoner outcome", majority_predictions(target.actual, target.request))
    level = threshold_predictions(target.level, target.actual, target.request)
    yield Rival("assigned level ≥ t", level)
    yield Rival("topic × level table", table_predictions(cell, target.actual, target.request))
    yield Rival("its harm rating ≥ t", threshold_predictions(target.harm, target.actual, target.request))
    if _has_texts(study):
        yield Rival("words of the request", worded(study, target))
    for other in study.targets:
        if other is not target:
            yield Rival(f"prediction of {other.name}", borrowed(target, other))


def worded(study: Study, target: TargetRows) -> Floats:
    """What the words of the other requests foretell for each of `target`'s rows, NaN where a row has no text."""
    predicted = np.full(len(target.rows), np.nan)
    if study.data.text is not None:
        codes, names = study.data.text.codes[target.rows], study.data.text.names
        there = codes >= 0
        texts = [names[code] for code in codes[there]]
        predicted[there] = text_predictions(texts, target.actual[there], target.request[there])
    return predicted


def borrowed(target: TargetRows, other: TargetRows) -> Floats:
    """The other target's prediction for each of `target`'s items, NaN where it has none."""
    keys, wanted = item_keys(other), item_keys(target)
    order = np.argsort(keys)
    place = np.minimum(np.searchsorted(keys[order], wanted), max(len(keys) - 1, 0))
    found = order[place]
    return np.where(keys[found] == wanted, other.pred[found], np.nan)


def _has_texts(study: Study) -> bool:
    return study.data.text is not None and bool((study.data.text.codes >= 0).any())


def _row(target: TargetRows, rival: Rival) -> tuple[Cell, ...]:
    common = target.used & ~np.isnan(rival.pred)
    if not common.any():
        return (target.name, rival.name, 0, None, None)
    theirs = _counts(target, common, rival.pred)
    gain = paired_jackknife(theirs, _counts(target, common, target.pred), share)
    return (target.name, rival.name, int(common.sum()), proportion_estimate(theirs), gain)


def _counts(target: TargetRows, mask: Bools, pred: Floats) -> Floats:
    right = (pred[mask] == target.actual[mask]).astype(np.float64)
    return totals_by_request(target.request[mask], np.stack([1 - right, right], axis=-1))


def _leave_one_out(target: TargetRows) -> tuple[Cell, ...]:
    rates = RequestRates(target)
    several = rates.outcomes >= 2
    name = "other outcomes of the request"
    if not several.any():
        return (target.name, name, 0, None, None)
    counts = loo_majority_counts(rates.refusals[several], rates.outcomes[several])
    mine = target.used & np.isin(target.request, rates.requests[several])
    gain = None
    if np.array_equal(np.unique(target.request[mine]), rates.requests[several]):
        gain = paired_jackknife(counts, _counts(target, mine, target.pred), share)
    return (target.name, name, int(counts.sum()), proportion_estimate(counts), gain)


def _verdict(found: list[tuple[Cell, ...]]) -> str:
    known = [(row[3].value, row[4]) for row in found if isinstance(row[3], Estimate) and row[3].value is not None]
    if not known:
        return "unknown"
    _, gain = max(known, key=lambda pair: pair[0])
    if not isinstance(gain, Estimate) or gain.low is None or gain.high is None:
        return "not testable"
    return "ahead" if gain.low > 0 else "behind" if gain.high < 0 else "no difference beyond noise"


def _ceiling(study: Study, target: TargetRows) -> tuple[Cell, ...]:
    rates, numbers = RequestRates(target), study.numbers(target)
    found = oracle_ceiling(rates.refusals, rates.outcomes)
    majority = defined(float(majority_accuracy(numbers.total)))
    accuracy = numbers.accuracy
    shares = [normalised_introspection(accuracy.value, majority, best) for best in (found.posterior, found.plug_in)]
    known = (found.posterior, found.plug_in, found.split_half)
    return (target.name, found.n_requests, majority, accuracy, *known, *shares)


def _between(low: Cell, high: Cell) -> str:
    ends = [shown(end, "two") for end in (low, high) if isinstance(end, float)]
    return " to ".join(dict.fromkeys(ends))
