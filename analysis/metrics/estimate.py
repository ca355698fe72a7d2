"""A number with its interval, what it rests on, and why it is missing when it is."""

import math
from dataclasses import dataclass

OK = "ok"


@dataclass(frozen=True, slots=True)
class Estimate:
    """`value` with its confidence interval `low`..`high`.

    What is undefined is None, never 0, 0.5 or NaN, and `status` says why. `n` counts the rows used, `n_requests` the
    base requests they come from (None where rows are not clustered). `status` is "ok" or flags joined by ", ".
    `method` names how the interval was made; "" when there is none.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    n_requests: int | None
    status: str
    method: str


def undefined(reason: str, n: int, n_requests: int | None = None) -> Estimate:
    """An estimate without value or interval, because of `reason`."""
    return Estimate(None, None, None, n, n_requests, reason, "")


def defined(value: float) -> float | None:
    """The value as a plain float; None for NaN."""
    return None if math.isnan(value) else float(value)
