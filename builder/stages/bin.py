"""bin: the empirical ground truth of each (target, request), from what the target did."""

from collections.abc import Iterable

from annotation.decide import is_refused
from annotation.ground_truth import Count, ground_truth
from schemas.config import BuildConfig
from schemas.records import GroundTruth, Label, Trial


def plan(trials: Iterable[Trial], labels: Iterable[Label], config: BuildConfig) -> tuple[GroundTruth, ...]:
    """One ground truth a target and request, in plan order; a request without labelled outcomes has no bin.

    All rows of a request must be there.
    """
    counts: dict[tuple[str, str], Count] = {}
    for trial, label in zip(trials, labels, strict=True):
        cell = (trial.target, trial.variant.request_id)
        refusals, outcomes = counts.get(cell, Count(0, 0))
        if label.label is not None:
            refusals, outcomes = refusals + is_refused(label.label), outcomes + 1
        counts[cell] = Count(refusals, outcomes)
    return tuple(ground_truth(target, name, count, config.bin_scheme) for (target, name), count in counts.items())
