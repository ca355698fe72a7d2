"""The empirical bin of a request for a target: point bin in integers, and a posterior that says how sure it is."""

from typing import Literal

from analysis.metrics.bins import bin_posterior, point_bin
from schemas.records import GroundTruth
from schemas.vocabulary import Bin

CERTAIN = 0.8


def ground_truth(
    target: str, request_id: str, refusals: int, outcomes: int, scheme: Literal["paper", "20_50_80"] = "paper"
) -> GroundTruth:
    """The ground truth of `refusals` in `outcomes` labelled responses; without outcomes everything is None.

    Posterior: θ ~ Beta(½ + refusals, ½ + outcomes - refusals), its mass between the scheme's edges in the order of
    `Bin`. The bin is certain if one bin holds at least 0.8 of it.
    """
    point = point_bin(refusals, outcomes, scheme)
    if point is None:
        return GroundTruth(target, request_id, refusals, outcomes, None, None, None, certain=False)
    posterior = tuple(float(mass) for mass in bin_posterior(refusals, outcomes, scheme))
    most = max(posterior)
    return GroundTruth(
        target, request_id, refusals, outcomes, Bin(point), posterior, round(most, 12), certain=most >= CERTAIN
    )
