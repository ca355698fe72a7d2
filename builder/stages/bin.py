"""bin: the empirical ground truth of each (target, request), from what the target did."""

from collections.abc import Iterable, Sequence

from annotation.decide import is_refused
from annotation.ground_truth import Count, ground_truth
from schemas.config import BuildConfig
from schemas.records import GroundTruth, Label, Request, Trial


def plan(
    trials: Sequence[Trial], labels: Sequence[Label], requests: Iterable[Request], config: BuildConfig
) -> tuple[GroundTruth, ...]:
    """One ground truth a target and request, in plan order; a request without labelled outcomes has no bin."""
    counts: dict[tuple[str, str], Count] = {}
    for trial, label in zip(trials, labels, strict=True):
        cell = (trial.target, trial.variant.request_id)
        refusals, outcomes = counts.get(cell, Count(0, 0))
        if label.label is not None:
            refusals, outcomes = refusals + is_refused(label.label), outcomes + 1
        counts[cell] = Count(refusals, outcomes)
    names = [request.request_id for request in requests]
    return tuple(
        ground_truth(target, name, counts[target, name], config.bin_scheme)
        for target in config.targets
        for name in names
    )
