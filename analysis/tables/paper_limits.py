"""Where the source study's conventions mislead: its number beside this report's, and what the difference is."""

from ..data import Coding, TargetRows, target_rows
from ..estimates import numbers
from ..metrics import accuracy as rates
from ..metrics.accuracy import majority_accuracy
from ..metrics.estimate import Estimate
from ..metrics.leave_one_out import loo_bins, loo_majority_accuracy
from ..study import Study
from .bins import row_bins
from .groups import sensitivity
from .paper import by_single_rows, printed_d_prime, resampled
from .table import Cell, Column, Table, shown

COLUMNS = (
    Column("target", "Target"),
    Column("convention", "Convention"),
    Column("study", "By the study’s"),
    Column("report", "By this report’s"),
    Column("why", "What misleads"),
)


def paper_limits(study: Study) -> Table:
    """One row a target and convention."""
    rows = tuple(row for target in study.targets for row in _rows(study, target))
    reading = "Read the study’s tables above beside this one."
    return Table("paper_limits", "Where the study’s conventions mislead", COLUMNS, rows, reading)


def _rows(study: Study, target: TargetRows) -> list[tuple[Cell, ...]]:
    lines = (_interval, _sensitivity_interval, _safe, _leaning, _maps, _majority, _routing, _own_past, _strict)
    return [(target.name, *line(study, target)) for line in lines]


def _interval(study: Study, target: TargetRows) -> tuple[Cell, ...]:
    plain = resampled(study, by_single_rows(target).outcomes, rates.accuracy)
    found = study.numbers(target)
    deff = found.proportion.deff
    why = "Variants of one request hang together" + ("" if deff is None else f": design effect {deff:.2f}")
    return ("accuracy interval over rows", shown(plain, "percent"), shown(found.accuracy, "percent"), why)


def _sensitivity_interval(study: Study, target: TargetRows) -> tuple[Cell, ...]:
    found = study.numbers(target).d_prime
    point = None if found.value is None else f"{found.value:.2f}"
    return ("d′ without an interval", point, shown(found, "two"), "Orders of targets by d′ need the intervals apart")


def _safe(study: Study, target: TargetRows) -> tuple[Cell, ...]:
    found = study.numbers(target, row_bins(target) == 0)
    printed = printed_d_prime(*map(float, found.total)) if found.total.any() else None
    value = shown(printed, "two")
    exists = found.d_prime
    why = "No refusals there: the number is −z(F), not a sensitivity" if exists.value is None else "Few refusals there"
    return ("d′ in “safe”", value, shown(exists, "two"), why)


def _leaning(study: Study, target: TargetRows) -> tuple[Cell, ...]:
    inside = study.numbers(target, row_bins(target) == 1)
    printed = printed_d_prime(*map(float, inside.total)) if inside.total.any() else None
    held_out = loo_bins(target.actual, target.request)
    middle = study.numbers(target, (held_out >= 1) & (held_out <= 3))
    found = sensitivity(middle)[0]
    why = "Binning by the predicted outcomes lowers d′ even for an oracle; the request’s other rows avoid that circle"
    return ("d′ in “leaning safe”", shown(printed, "two"), f"{shown(found, 'two')} in middle bins, leave one out", why)


def _maps(study: Study, target: TargetRows) -> tuple[Cell, ...]:
    found = study.numbers(target).defaults
    both = f"{shown(found['ece:k/5'], 'three')}; {shown(found['ece:affine_half_to_one'], 'three')} under ½+(k−1)/8"
    return (
        "ECE under k/5 alone",
        shown(found["ece:k/5"].value, "three"),
        both,
        "The map is a choice; so are ranks under it",
    )


def _majority(study: Study, target: TargetRows) -> tuple[Cell, ...]:
    found = study.numbers(target)
    majority = float(majority_accuracy(found.total))
    beside = f"{shown(found.accuracy.value, 'percent')} against {shown(majority, 'percent')} for the commoner outcome"
    return ("accuracy alone", shown(found.accuracy.value, "percent"), beside, "Accuracy depends on the base rate")


def _routing(study: Study, target: TargetRows) -> tuple[Cell, ...]:
    found = study.numbers(target).defaults
    gain: Estimate = found["routing_gain"]
    why = "What counts is the gain over acting always, with its interval"
    return (
        "accuracy at confidence 5",
        shown(found["selective_accuracy:5"].value, "percent"),
        shown(gain, "points"),
        why,
    )


def _own_past(study: Study, target: TargetRows) -> tuple[Cell, ...]:
    past = loo_majority_accuracy(target.actual, target.request)
    why = (
        "The request’s other outcomes foretell as much without self-knowledge"
        if past is not None
        else "One row a request"
    )
    value = study.numbers(target).accuracy.value
    if past is not None and value is not None and value > past + 0.005:
        why = "Some of it is foretold by the request’s other outcomes"
    return (
        "accuracy without a baseline",
        shown(value, "percent"),
        f"{shown(past, 'percent')} from its other outcomes",
        why,
    )


def _strict(study: Study, target: TargetRows) -> tuple[Cell, ...]:
    code = study.data.target.names.index(target.name)
    lenient, strict = (numbers(target_rows(study.data, code, Coding(strict=flag))) for flag in (False, True))
    why = "Partial refusals decide: both codings belong in the table"
    if lenient.accuracy.value == strict.accuracy.value:
        why = "No partial refusals in these rows, or they do not matter"
    return (
        "lenient coding alone",
        shown(lenient.accuracy.value, "percent"),
        f"{shown(strict.accuracy.value, 'percent')} strict",
        why,
    )
