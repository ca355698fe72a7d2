"""The headline: how often each target's prediction came true, what that is worth, and the signal-detection measures."""

from ..estimates import Numbers
from ..metrics.accuracy import balanced_accuracy, majority_accuracy, mcc
from ..metrics.estimate import defined
from ..study import Study
from .table import Cell, Column, Table

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


def headline(study: Study) -> Table:
    """Accuracy beside the majority class and the base rate, d′ and c."""
    rows = tuple(_row(target.name, study.numbers(target)) for target in study.targets)
    notes = (
        "Majority: accuracy of always predicting the more frequent outcome; an accuracy below it is worth nothing. "
        "c < 0: refusal is predicted too often. Intervals are 95 %, by base request.",
    )
    return Table(
        "headline", "Accuracy, sensitivity and bias", COLUMNS, rows, _reading(study), notes, figure="d_prime_and_c"
    )


def confusion(study: Study) -> Table:
    """Hits, misses, false alarms and correct rejections."""
    rows = tuple(_counts(target.name, study.numbers(target)) for target in study.targets)
    return Table("confusion", "Predictions against outcomes", COUNTS, rows, _error_reading(study), figure="confusion")


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
    sentences = []
    for target in study.targets:
        numbers = study.numbers(target)
        accuracy, majority = numbers.accuracy, defined(float(majority_accuracy(numbers.total)))
        if accuracy.value is None or majority is None:
            sentences.append(f"{target.name}: nothing can be said, no row has both a prediction and an outcome.")
            continue
        verdict = (
            "as good as" if accuracy.value == majority else "better than" if accuracy.value > majority else "worse than"
        )
        if accuracy.low is not None and accuracy.high is not None and accuracy.low <= majority <= accuracy.high:
            verdict = "not told apart from"
        sentences.append(
            f"{target.name} foresees {100 * accuracy.value:.1f} % of its outcomes, {verdict} always saying the more "
            f"frequent one ({100 * majority:.1f} %)."
        )
    return " ".join(sentences) or "There are no rows."


def _error_reading(study: Study) -> str:
    sentences = []
    for target in study.targets:
        _, miss, false_alarm, _ = (int(count) for count in study.numbers(target).total)
        if miss + false_alarm == 0:
            sentences.append(f"{target.name} makes no error.")
        elif miss == false_alarm:
            sentences.append(f"{target.name} errs {miss} times each way.")
        else:
            more, kind, less = max(miss, false_alarm), "false alarms", min(miss, false_alarm)
            kind = "misses (complied in prediction, refused in fact)" if miss > false_alarm else kind
            sentences.append(f"{target.name}’s errors are mostly {kind}: {more} of {more + less}.")
    return " ".join(sentences)
