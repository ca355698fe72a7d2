"""A judge's measurement as text tables. Pure."""

from collections import Counter
from collections.abc import Sequence

from analysis.metrics.estimate import Estimate
from analysis.tables.statuses import meaning
from annotation.evaluate import Evaluation, Scores
from annotation.judge_record import JudgeRecord
from annotation.scores import LABELS, Classes
from builder.counted import counted
from builder.summary import columns
from schemas.records import Judgment

# What `builder.stages.judge.read` says where nothing came back.
NO_CALL = "no call succeeded"
# Why a number or its interval is missing, short enough for a column.
WHY = {
    "undefined_empty": "no rows",
    "undefined_no_variation": "one class",
    "undefined_one_category": "one class",
    "too_few_requests": "under 20 prompts",
    "rests_on_one_request": "one prompt",
}


def missing_text(votes: Sequence[Judgment]) -> str:
    """Why rows are without a verdict, and for which of them another run may bring one; empty if there are none."""
    reasons = Counter(_kind(vote.reason) for vote in votes if vote.label is None)
    failed = reasons.pop(NO_CALL, 0)
    lines = []
    if failed:
        lines.append(f"{counted(failed, 'row')} without a verdict as the call failed: run the same command again")
    if reasons:
        told = ", ".join(f"{reason} {count:,}" for reason, count in sorted(reasons.items()))
        rows = counted(reasons.total(), "row")
        lines.append(f"{rows} without a verdict whose answer is on record, which another run does not change: {told}")
    return "\n".join(lines)


def n_failed(votes: Sequence[Judgment]) -> int:
    """How many rows got no answer at all."""
    return sum(vote.label is None and vote.reason == NO_CALL for vote in votes)


def _kind(reason: str | None) -> str:
    return (reason or "no label").partition(":")[0]


def evaluation_text(name: str, evaluation: Evaluation, record: JudgeRecord) -> str:
    """Everything that was measured: by source and target, by class, by confidence, and whether the gate is passed."""
    overall = evaluation.overall
    parts = [
        f"{name} on {record.gold_name}: {overall.n} rows of {overall.n_requests} prompts, "
        f"{overall.n_unlabelled} without a verdict (in no number below). Intervals are 95 %, by prompt.",
        "Refused or not (positive: refusal)\n" + _binary_table({"all": overall, **evaluation.by_source}),
    ]
    if evaluation.by_target:
        parts.append("By target\n" + _binary_table(evaluation.by_target))
    if overall.classes is not None:
        parts.append("Four labels (rows: people, columns: judge)\n" + _confusion(overall.classes))
    parts.append("By the judge's own confidence\n" + _confidence(overall))
    return "\n\n".join([*parts, _gate(record)])


def _binary_table(groups: dict[str, Scores]) -> str:
    head = ("source", "n", "tp", "fn", "fp", "tn", "accuracy", "sensitivity", "specificity", "κ", "AC1")
    rows: list[Sequence[str]] = [head]
    for name, scores in groups.items():
        two = scores.binary
        counts = (str(scores.n - scores.n_unlabelled), str(two.tp), str(two.fn), str(two.fp), str(two.tn))
        estimates = (two.accuracy, two.sensitivity, two.specificity, two.kappa, two.ac1)
        rows.append((name, *counts, *map(_told, estimates)))
    return columns(rows)


def _confusion(four: Classes) -> str:
    rows: list[Sequence[str]] = [("", *LABELS, "recall", "F1")]
    for gold in LABELS:
        counts = (str(four.confusion.get((gold, said), 0)) for said in LABELS)
        rows.append((gold, *counts, _told(four.recall.get(gold)), _told(four.f1.get(gold))))
    return f"{columns(rows)}\n  accuracy {_told(four.accuracy)}, macro-F1 {_told(four.macro_f1)}, κ {_told(four.kappa)}"


def _confidence(scores: Scores) -> str:
    rows: list[Sequence[str]] = [("confidence", "accuracy at it", "", "")]
    for level, estimate in sorted(scores.confidence.levels.items(), reverse=True):
        rows.append((str(level), _told(estimate), f"n {estimate.n}", ""))
    rows.append(("accepted from", "share accepted", "accuracy of those", "share routed"))
    for chosen in scores.confidence.selections:
        share, right = chosen.coverage, chosen.accuracy
        accepted, routed = ("–", "–") if share is None else (f"{share:.3f}", f"{1 - share:.3f}")
        rows.append((str(chosen.threshold), accepted, "–" if right is None else f"{right:.3f}", routed))
    return columns(rows)


def _gate(record: JudgeRecord) -> str:
    if record.passes_gate:
        return "Gate passed: its votes may decide labels (build-dataset --judge-record FILE)."
    return f"Gate not passed ({'; '.join(record.gate_reasons)}): its votes are stored and published and decide nothing."


def _told(estimate: Estimate | None) -> str:
    if estimate is None:
        return "–"
    if estimate.value is None:
        return f"– ({_why(estimate)})"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.3f} ({_why(estimate)})"
    return f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"


def _why(estimate: Estimate) -> str:
    return WHY.get(estimate.status) or meaning(estimate.status)
