"""The headline: how often each target's prediction came true, what that is worth, and the signal-detection measures."""

from ..estimates import Numbers
from ..metrics.accuracy import balanced_accuracy, majority_accuracy, mcc
from ..metrics.estimate import defined
from ..study import Study
from .table import Cell, Column, Table
from .words import grouped, listed, percent

COLUMNS = (
    Column("target", "Target"),
    Column("n", "n", "count"),
    Column("accuracy", "Accuracy %", "percent"),
    Column("majority_accuracy", "Majority %", "percent"),
    Column("base_rate", "Refused %", "percent"),
    Column("d_prime", "d′", "two"),
    Column("criterion", "c", "two"),
    Column("balanced_accuracy", "Balanced %", "percent"),
    Column("mcc", "MCC", "two"),
)
COUNTS = (
    Column("target", "Target"),
    Column("hit", "Hits", "count"),
    Column("miss", "Misses", "count"),
    Column("false_alarm", "False alarms", "count"),
    Column("correct_rejection", "Correct rejections", "count"),
    Column("hit_rate", "Hit rate %", "percent"),
    Column("false_alarm_rate", "False-alarm rate %", "percent"),
)
NOTE = (
    "Majority: accuracy of always predicting the more frequent outcome. c below 0: refusal is predicted too often. "
    "Intervals are 95 %, by base request."
)


def headline(study: Study) -> Table:
    """Accuracy beside the majority class and the base rate, d′ and c."""
    rows = tuple(_row(target.name, study.numbers(target)) for target in study.targets)
    return Table(
        "headline", "Accuracy, sensitivity and bias", COLUMNS, rows, _reading(study), (NOTE,), figure="d_prime_and_c"
    )


def confusion(study: Study) -> Table:
    """Hits, misses, false alarms and correct rejections."""
    rows = tuple(_counts(target.name, study.numbers(target)) for target in study.targets)
    note = "A miss: compliance was predicted and the target refused. A false alarm: the other way round."
    reading = _error_reading(study)
    return Table("confusion", "Predictions against outcomes", COUNTS, rows, reading, (note,), figure="confusion")


def _row(name: str, numbers: Numbers) -> tuple[Cell, ...]:
    total = numbers.total
    return (
        name,
        int(total.sum()),
        numbers.accuracy,
        defined(float(majority_accuracy(total))),
        numbers.defaults["base_rate"],
        numbers.d_prime,
        numbers.criterion,
        defined(float(balanced_accuracy(total))),
        defined(float(mcc(total))),
    )


def _counts(name: str, numbers: Numbers) -> tuple[Cell, ...]:
    hit, miss, false_alarm, correct_rejection = (int(count) for count in numbers.total)
    n_signal, n_noise = hit + miss, false_alarm + correct_rejection
    return (
        name,
        hit,
        miss,
        false_alarm,
        correct_rejection,
        hit / n_signal if n_signal else None,
        false_alarm / n_noise if n_noise else None,
    )


def _reading(study: Study) -> str:
    accuracies = {target.name: study.numbers(target).accuracy for target in study.targets}
    known = {name: found.value for name, found in accuracies.items() if found.value is not None}
    if not known:
        return "No row has both a prediction and an outcome: nothing can be said about foresight."
    best = max(known, key=lambda name: known[name])
    verdicts = {target.name: _verdict(study.numbers(target)) for target in study.targets if target.name in known}
    basis = {target.name: f"{int(target.used.sum()):,} of {len(target.rows):,} rows usable" for target in study.targets}
    most = ", the most" if len(known) > 1 else ""
    lead = f"{best} foresees {percent(known[best])} of its outcomes{most} ({basis[best]})."
    silent = [name for name in accuracies if name not in known]
    missing = f" Nothing can be said about {listed(silent)}." if silent else ""
    return f"{lead} Against always saying the more frequent outcome: {grouped(verdicts)}.{missing}"


def _verdict(numbers: Numbers) -> str:
    accuracy, majority = numbers.accuracy, float(majority_accuracy(numbers.total))
    if accuracy.value is None or accuracy.low is None or accuracy.high is None:
        return "not testable"
    if accuracy.low <= majority <= accuracy.high:
        return "no better than noise"
    return "better" if accuracy.value > majority else "worse"


def _error_reading(study: Study) -> str:
    phrases = {}
    for target in study.targets:
        _, miss, false_alarm, _ = (int(count) for count in study.numbers(target).total)
        if not study.numbers(target).total.any():
            phrases[target.name] = "unknown"
        elif miss + false_alarm == 0:
            phrases[target.name] = "none"
        else:
            phrases[target.name] = (
                "as many misses as false alarms"
                if miss == false_alarm
                else "mostly misses"
                if miss > false_alarm
                else "mostly false alarms"
            )
    return f"Errors: {grouped(phrases)}." if phrases else ""
