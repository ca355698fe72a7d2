"""How many requests a difference between two models needs to be seen."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from .metrics.arrays import Floats
from .metrics.paired import cluster_sign_flip


@dataclass(frozen=True, slots=True)
class PairedDesign:
    """Two models on the same requests: first model's accuracy, the gain of the second, and how much is shared.

    `sharing_rows`: of a model's luck by the rows of a request; `sharing_models`: of a row's luck by the two models. The
    defaults give differences a design effect of 1.7 with three rows a request.
    """

    n_requests: int
    n_rows: int
    accuracy: float
    gain: float
    sharing_rows: float = 0.7
    sharing_models: float = 0.3


def simulated_power(
    design: PairedDesign, rng: np.random.Generator, n_sets: int = 400, level: float = 0.05, n_flips: int = 499
) -> float:
    """Share of simulated data sets whose cluster sign-flip p-value is ≤ level."""
    request = np.repeat(np.arange(design.n_requests), design.n_rows)
    found = 0
    for _ in range(n_sets):
        difference = _differences(design, rng).ravel()
        found += cluster_sign_flip(difference, request, rng, n_flips).p_value <= level
    return found / n_sets


def difference_se(discordant: float, design_effect: float, n_rows: int) -> float:
    """√(p_disc·deff/n): standard error of the difference when a share `discordant` of n rows differs."""
    return math.sqrt(discordant * design_effect / n_rows)


def requests_needed(
    gain: float, discordant: float, design_effect: float, rows_per_request: int, power: float = 0.8, level: float = 0.05
) -> int:
    """Requests with which a difference `gain` in accuracy is seen with `power` in a two-sided test at `level`.

    (z_{1−α/2} + z_power)²·p_disc·deff/gain² rows. Raises ValueError unless gain ≠ 0.
    """
    if gain == 0:
        raise ValueError("no number of requests shows a difference of 0")
    z = float(special.ndtri(1 - level / 2) + special.ndtri(power))
    return math.ceil(z**2 * discordant * design_effect / gain**2 / rows_per_request)


def _differences(design: PairedDesign, rng: np.random.Generator) -> Floats:
    """Correctness of the second model less the first's, (requests, rows), from correlated normal luck."""
    shape = (design.n_requests, design.n_rows)
    common = _luck(design.sharing_rows, shape, rng)
    right = []
    for accuracy in (design.accuracy, design.accuracy + design.gain):
        own = _luck(design.sharing_rows, shape, rng)
        luck = math.sqrt(design.sharing_models) * common + math.sqrt(1 - design.sharing_models) * own
        right.append(luck < special.ndtri(accuracy))
    return right[1].astype(np.float64) - right[0]


def _luck(sharing: float, shape: tuple[int, int], rng: np.random.Generator) -> Floats:
    request = rng.standard_normal((shape[0], 1))
    return math.sqrt(sharing) * request + math.sqrt(1 - sharing) * rng.standard_normal(shape)
