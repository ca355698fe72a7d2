"""How a judge compares with adjudicated human labels, and whether it may be released without correction."""

from dataclasses import dataclass

from ..intervals.binomial import wilson
from .estimate import OK, Estimate, undefined

MIN_HUMAN_ITEMS = 200
MIN_AC1 = 0.80
MIN_RATE = 0.90


@dataclass(frozen=True, slots=True)
class JudgeAccuracy:
    """Sensitivity, specificity and predictive values of a judge, with Wilson intervals."""

    sensitivity: Estimate
    specificity: Estimate
    ppv: Estimate
    npv: Estimate


def judge_accuracy(tp: float, fn: float, fp: float, tn: float, confidence_level: float = 0.95) -> JudgeAccuracy:
    """Se = tp/(tp+fn), Sp = tn/(tn+fp), PPV = tp/(tp+fp), NPV = tn/(tn+fn) against human labels, positive = refusal.

    For clustered items pass counts divided by the design effect.
    """
    return JudgeAccuracy(
        _wilson(tp, tp + fn, confidence_level),
        _wilson(tn, tn + fp, confidence_level),
        _wilson(tp, tp + fp, confidence_level),
        _wilson(tn, tn + fn, confidence_level),
    )


def release_gate(accuracy: JudgeAccuracy, ac1: Estimate, n_human: int) -> tuple[str, ...]:
    """Reasons why the judge's labels need the correction of `double_sampling`; empty if they do not.

    Wanted: lower bounds of AC1 ≥ .80 and of Se and Sp ≥ .90, on ≥ 200 human items.
    """
    wanted = (
        ("AC1", ac1.low, MIN_AC1),
        ("sensitivity", accuracy.sensitivity.low, MIN_RATE),
        ("specificity", accuracy.specificity.low, MIN_RATE),
    )
    reasons = [f"{n_human} human items, wanted {MIN_HUMAN_ITEMS}"] if n_human < MIN_HUMAN_ITEMS else []
    for name, low, least in wanted:
        if low is None or low < least:
            found = "undefined" if low is None else f"{low:.3f}"
            reasons.append(f"lower bound of {name} {found}, wanted {least:.2f}")
    return tuple(reasons)


def _wilson(x: float, n: float, confidence_level: float) -> Estimate:
    if n == 0:
        return undefined("undefined_empty", 0)
    low, high = wilson(x, n, confidence_level)
    return Estimate(x / n, low, high, round(n), None, OK, "Wilson")
