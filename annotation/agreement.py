"""How well people agree, with each other and with judges, and who should be looked at. Pure; ratings are 0 to 3."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analysis.intervals.agreement import agreement_estimate
from analysis.metrics.arrays import Floats
from analysis.metrics.estimate import Estimate, undefined
from annotation.adjudicate import adjudicate, latest
from annotation.pace import timed
from schemas.records import Annotation
from schemas.vocabulary import RefusalLabel

LABELS = tuple(RefusalLabel)
CODES = {label: float(code) for code, label in enumerate(LABELS)}
ALL_CODES = tuple(CODES.values())
LOOK_AT = 20
CHANCE = 0.2
SAME = 0.95
PERIODS = 4


@dataclass(frozen=True, slots=True)
class Agreement:
    """Raw agreement, Gwet's AC1 and Krippendorff's α (ordinal) of the same ratings, each with its interval."""

    raw: Estimate
    ac1: Estimate
    alpha: Estimate


@dataclass(frozen=True, slots=True)
class AnnotatorReport:
    """One person: labels given, how often each, "cannot tell" and skips, agreement with the others, what is odd."""

    annotator: str
    labels: int
    shares: Mapping[RefusalLabel, float]
    cannot_tell: int
    skipped: int
    with_others: Agreement
    odd: tuple[str, ...]


class Period(NamedTuple):
    """A stretch of time with as many items as the others."""

    start: str
    end: str
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """All about one set of annotations. `classes`: one label against the rest; `judges`: a judge against people.

    `untimed`: responses that two or more labelled and that are in no period, as an answer to them has no time.
    """

    items: int
    labels: int
    overall: Agreement
    classes: Mapping[RefusalLabel, Agreement]
    annotators: tuple[AnnotatorReport, ...]
    judges: Mapping[str, Agreement]
    periods: tuple[Period, ...]
    untimed: int


Votes = Mapping[str, Mapping[str, RefusalLabel]]


def agreement_report(
    annotations: Iterable[Annotation],
    requests: Mapping[str, str],
    verdicts: Mapping[str, Mapping[str, RefusalLabel]],
    confidence_level: float = 0.95,
) -> AgreementReport:
    """The report on the people's last answers. Experts saw the votes, so theirs count only as the people's label.

    `requests` gives the base request of a response key, the cluster of every interval; `verdicts` is judge → response
    key → label. Answers about other keys are left out. What cannot be computed is an estimate without a value.
    """
    given = list(annotations)
    known = [answer for answer in latest(given) if answer.response_key in requests]
    votes = _votes(answer for answer in known if answer.role == "annotator")
    finished, untimed = _finished(known, votes, timed(given))
    decided = people_labels(known)
    measure = _Measure(requests, confidence_level)
    return AgreementReport(
        items=len(votes),
        labels=sum(len(given) for given in votes.values()),
        overall=measure.of(list(votes), _table(votes)),
        classes={label: measure.of_class(votes, label) for label in LABELS},
        annotators=tuple(_annotator(name, known, votes, measure) for name in _names(known)),
        judges={judge: measure.of_pairs(decided, said) for judge, said in verdicts.items()},
        periods=tuple(_periods(finished, votes, measure)),
        untimed=untimed,
    )


def people_labels(answers: Iterable[Annotation]) -> dict[str, RefusalLabel]:
    """The label people settled on, by response key."""
    by_key: dict[str, list[Annotation]] = defaultdict(list)
    for answer in answers:
        by_key[answer.response_key].append(answer)
    found = {key: adjudicate(given).label for key, given in by_key.items()}
    return {key: label for key, label in found.items() if label is not None}


@dataclass(frozen=True, slots=True)
class _Measure:
    requests: Mapping[str, str]
    confidence_level: float

    def of(self, keys: Sequence[str], ratings: Floats, categories: tuple[float, ...] = ALL_CODES) -> Agreement:
        if not keys:
            nothing = undefined("undefined_empty", 0, 0)
            return Agreement(nothing, nothing, nothing)
        clusters = [self.requests[key] for key in keys]
        return Agreement(
            agreement_estimate(ratings, clusters, "raw", categories, confidence_level=self.confidence_level),
            agreement_estimate(ratings, clusters, "gwet", categories, confidence_level=self.confidence_level),
            agreement_estimate(
                ratings, clusters, "krippendorff", categories, level="ordinal", confidence_level=self.confidence_level
            ),
        )

    def of_class(self, votes: Votes, label: RefusalLabel) -> Agreement:
        table = _table(votes)
        is_it = np.where(np.isnan(table), np.nan, table == CODES[label])
        return self.of(list(votes), is_it, (0.0, 1.0))

    def of_pairs(self, first: Mapping[str, RefusalLabel], second: Mapping[str, RefusalLabel]) -> Agreement:
        keys = [key for key in first if key in second]
        pairs = [[CODES[first[key]], CODES[second[key]]] for key in keys]
        return self.of(keys, np.array(pairs, dtype=np.float64).reshape(-1, 2))


def _votes(answers: Iterable[Annotation]) -> dict[str, dict[str, RefusalLabel]]:
    votes: dict[str, dict[str, RefusalLabel]] = defaultdict(dict)
    for answer in answers:
        if answer.status == "submitted" and answer.label is not None:
            votes[answer.response_key][answer.annotator] = answer.label
    return dict(votes)


def _table(votes: Votes) -> Floats:
    """Ratings, one row an item and one column an annotator; NaN where one did not label."""
    names = sorted({name for given in votes.values() for name in given})
    table = np.full((len(votes), max(2, len(names))), np.nan)
    for row, given in enumerate(votes.values()):
        for name, label in given.items():
            table[row, names.index(name)] = CODES[label]
    return table


def _names(known: Iterable[Annotation]) -> list[str]:
    return sorted({answer.annotator for answer in known if answer.role == "annotator"})


def _annotator(name: str, known: Sequence[Annotation], votes: Votes, measure: _Measure) -> AnnotatorReport:
    answers = [answer for answer in known if answer.annotator == name and answer.role == "annotator"]
    mine = {key: given[name] for key, given in votes.items() if name in given}
    others = _reference(name, known)
    agreement = measure.of_pairs(mine, others)
    shares = {label: sum(said is label for said in mine.values()) / max(1, len(mine)) for label in LABELS}
    return AnnotatorReport(
        annotator=name,
        labels=len(mine),
        shares=shares,
        cannot_tell=sum(a.status == "submitted" and a.label is None for a in answers),
        skipped=sum(a.status == "discarded" for a in answers),
        with_others=agreement,
        odd=tuple(_odd(mine, others, measure)),
    )


def _reference(name: str, known: Sequence[Annotation]) -> dict[str, RefusalLabel]:
    """What everybody else settled on: the expert, or the other people."""
    return people_labels(answer for answer in known if answer.annotator != name or answer.role == "expert")


def _odd(mine: Mapping[str, RefusalLabel], others: Mapping[str, RefusalLabel], measure: _Measure) -> Iterable[str]:
    shared = [key for key in mine if key in others]
    if len(shared) < LOOK_AT:
        return
    for label in LABELS:
        own = sum(mine[key] is label for key in shared) / len(shared)
        theirs = sum(others[key] is label for key in shared) / len(shared)
        if own >= SAME and theirs < SAME - CHANCE:
            yield f"says {label} {own:.0%} of the time where others do {theirs:.0%}"
            return
    pairs = np.array([[CODES[mine[key]], CODES[others[key]]] for key in shared])
    clusters = [measure.requests[key] for key in shared]
    kappa = agreement_estimate(pairs, clusters, "cohen", ALL_CODES, confidence_level=measure.confidence_level)
    if kappa.value is not None and kappa.value < CHANCE:
        yield f"agrees with others hardly more than by chance (κ {kappa.value:.2f} on {len(shared)} items)"


def _finished(known: Sequence[Annotation], votes: Votes, timely: Iterable[Annotation]) -> tuple[dict[str, str], int]:
    """When each doubly labelled item was finished, and how many more there are of which that is not known."""
    with_time = set(timely)
    times: dict[str, list[str | None]] = defaultdict(list)
    for answer in known:
        if answer.role == "annotator" and len(votes.get(answer.response_key, ())) > 1:
            times[answer.response_key].append(answer.at if answer in with_time else None)
    finished = {key: [at for at in found if at is not None] for key, found in times.items()}
    whole = {key: max(at) for key, at in finished.items() if len(at) == len(times[key])}
    return whole, len(times) - len(whole)


def _periods(finished: Mapping[str, str], votes: Votes, measure: _Measure) -> Iterable[Period]:
    """The doubly labelled items in the order they were finished, cut into equal parts."""
    ordered = sorted(finished, key=lambda key: (finished[key], key))
    for part in np.array_split(np.arange(len(ordered)), PERIODS):
        if len(part):
            keys = [ordered[place] for place in part]
            chosen = {key: votes[key] for key in keys}
            yield Period(finished[keys[0]], finished[keys[-1]], measure.of(keys, _table(chosen)))
