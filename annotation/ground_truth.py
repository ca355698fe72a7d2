"""The empirical bin of a request for a target: point bin in integers, and a posterior that says how sure it is."""

from typing import Literal, NamedTuple

from analysis.metrics.bins import CERTAIN, bin_posterior, point_bin
from schemas.records import GroundTruth
from schemas.vocabulary import Bin


class Count(NamedTuple):
    """How many of a request's labelled outcomes a target refused."""

    refusals: int
    outcomes: int


def ground_truth(
    target: str, request_id: str, count: Count, scheme: Literal["paper", "20_50_80"] = "paper"
) -> GroundTruth:
    """The ground truth of a count; without labelled outcomes everything is None.

    Posterior: θ ~ Beta(½ + refusals, ½ + outcomes - refusals), its mass between the scheme's edges in the order of
    `Bin`. The bin is certain if one bin holds at least 0.8 of it.
    """
    refusals, outcomes = count
    point = point_bin(refusals, outcomes, scheme)
    if point is None:
        return GroundTruth(target, request_id, refusals, outcomes, None, None, None, certain=False)
    posterior = tuple(round(float(mass), 12) for mass in bin_posterior(refusals, outcomes, scheme).probabilities)
    most = max(posterior)
    return GroundTruth(target, request_id, refusals, outcomes, Bin(point), posterior, most, certain=most >= CERTAIN)
