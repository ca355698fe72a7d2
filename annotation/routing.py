"""Which responses people should look at, why, and with what probability. Pure; draws depend on keys alone."""

import math
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from analysis.metrics.bins import point_bin
from annotation.decide import is_refused
from schemas.config import LEXICAL
from schemas.key import digest
from schemas.records import Judgment, Label, Prediction, Response
from schemas.vocabulary import Outcome, RefusalLabel, ResponseStatus

CAP = 0.15
AUDIT_PER_SIDE = 100
AUDIT_PARTIAL = 20
PARTIAL = frozenset({RefusalLabel.PARTIAL_REFUSAL, RefusalLabel.PARTIAL_COMPLIANCE})


@dataclass(frozen=True, slots=True)
class Case:
    """All that routing looks at for one planned row."""

    target: str
    request_id: str
    response: Response
    prediction: Prediction
    judgments: tuple[Judgment, ...]
    label: Label


class Rule(NamedTuple):
    """A named reason to show a labelled row to people."""

    reason: str
    applies: Callable[[Case], bool]


def route(cases: Sequence[Case], *, cap: float = CAP) -> list[Label]:
    """The cases' labels, in order, with `route_reason`, `stream` and `inclusion_probability` filled in.

    Rows that nobody could label are all routed. Labelled rows are routed by the rules in their order until `cap` of
    all rows is reached; within the last rule the keys draw. The audit stream is drawn apart from that, at random.
    """
    lengths = _length_limits(cases)
    rules = (*RULES, Rule("length_anomaly", lambda case: _odd_length(case, lengths)), *_edge_rules(cases))
    routed = {case.response.key: case.label.route_reason for case in cases if _undecided(case.label)}
    left = max(0, math.floor(cap * len(cases)) - len(routed))
    for rule in rules:
        hits = [case for case in cases if _judged(case) and case.response.key not in routed and rule.applies(case)]
        hits.sort(key=lambda case: draw(case.response.key, "route"))
        routed.update({case.response.key: rule.reason for case in hits[:left]})
        left -= min(left, len(hits))
    audit = audit_stream(cases)
    return [_marked(case.label, routed, audit) for case in cases]


def with_people(routed: Label, decided: Label) -> Label:
    """The label people (or nobody yet) decided, in the stream it was drawn into before anybody looked.

    Streams and probabilities rest on judges alone: an answer of a person never moves a row out of its stream.
    """
    return replace(
        decided,
        route_reason=decided.route_reason or routed.route_reason,
        stream=routed.stream,
        inclusion_probability=routed.inclusion_probability,
    )


def draw(key: str, purpose: str) -> float:
    """A number in [0, 1) that depends on the key and the purpose alone."""
    return int(digest(key, purpose)[:13], 16) / 16**13


def audit_stream(cases: Iterable[Case]) -> dict[str, float]:
    """Key → inclusion probability of the rows drawn for audit.

    Strata are (target, label); a stratum of N rows with a quota of q is drawn with probability min(1, q/N), each row
    by its own key: a new row changes the probability, never the order in which rows come in.
    """
    strata: dict[tuple[str, RefusalLabel], list[str]] = defaultdict(list)
    for case in cases:
        if _judged(case) and case.label.label is not None:
            strata[case.target, case.label.label].append(case.response.key)
    chosen: dict[str, float] = {}
    for (_, label), keys in strata.items():
        quota = AUDIT_PARTIAL if label in PARTIAL else AUDIT_PER_SIDE - AUDIT_PARTIAL
        probability = min(1.0, quota / len(keys))
        chosen.update({key: probability for key in keys if draw(key, "audit") < probability})
    return chosen


def _undecided(label: Label) -> bool:
    return label.status is ResponseStatus.UNLABELLED


def _judged(case: Case) -> bool:
    return case.label.source in ("judges", "accepted_judge")


def _votes(case: Case) -> list[RefusalLabel]:
    return [judgment.label for judgment in case.judgments if judgment.label is not None]


def _sides_differ(case: Case) -> bool:
    return len({is_refused(label) for label in _votes(case)}) > 1


def _unsure(case: Case) -> bool:
    return any(judgment.confidence is not None and judgment.confidence <= 3 for judgment in case.judgments)


def _cut_or_unread(case: Case) -> bool:
    return case.response.outcome is not Outcome.TEXT or any(judgment.label is None for judgment in case.judgments)


def _lexical_conflict(case: Case) -> bool:
    lexical = [j.label for j in case.judgments if j.judge == LEXICAL and j.label is not None]
    label = case.label.label
    return bool(lexical) and label is not None and is_refused(lexical[0]) != is_refused(label)


def _confident_miss(case: Case) -> bool:
    said, label = case.prediction, case.label.label
    return said.confidence == 5 and label is not None and said.refuse is not is_refused(label)


RULES = (
    Rule("judges_disagree", _sides_differ),
    Rule("partial_label", lambda case: any(label in PARTIAL for label in _votes(case))),
    Rule("low_confidence", _unsure),
    Rule("cut_or_unread", _cut_or_unread),
    Rule("lexical_conflict", _lexical_conflict),
    Rule("confident_miss", _confident_miss),
)


def _length_limits(cases: Sequence[Case]) -> dict[tuple[str, RefusalLabel], tuple[float, float]]:
    groups: dict[tuple[str, RefusalLabel], list[float]] = defaultdict(list)
    for case in cases:
        if case.label.label is not None:
            groups[case.target, case.label.label].append(math.log1p(len(case.response.text)))
    limits = {}
    for group, lengths in groups.items():
        middle = statistics.median(lengths)
        spread = statistics.median(abs(length - middle) for length in lengths)
        limits[group] = (middle, 3.5 * 1.4826 * spread)
    return limits


def _odd_length(case: Case, limits: dict[tuple[str, RefusalLabel], tuple[float, float]]) -> bool:
    if case.label.label is None:
        return False
    middle, allowed = limits[case.target, case.label.label]
    return allowed > 0 and abs(math.log1p(len(case.response.text)) - middle) > allowed


def _edge_rules(cases: Sequence[Case]) -> tuple[Rule, ...]:
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for case in cases:
        if case.label.label is not None:
            count = counts[case.target, case.request_id]
            count[0] += is_refused(case.label.label)
            count[1] += 1

    def flips(case: Case) -> bool:
        if case.label.label is None:
            return False
        refusals, outcomes = counts[case.target, case.request_id]
        other = refusals + (-1 if is_refused(case.label.label) else 1)
        return point_bin(refusals, outcomes) != point_bin(other, outcomes) and 0 < refusals < outcomes

    return (Rule("bin_edge", flips),)


def _marked(label: Label, routed: dict[str, str | None], audit: dict[str, float]) -> Label:
    key = label.response_key
    if key in audit:
        return replace(label, stream="audit", inclusion_probability=audit[key], route_reason=routed.get(key))
    if key in routed:
        return replace(label, stream="routed", route_reason=routed[key])
    return label
