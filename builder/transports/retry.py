"""The one retry layer: how long to wait before the next attempt, and when to give up. Pure."""

import random
from dataclasses import dataclass

from builder.providers.protocol import CallError


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """At most `attempts` tries; waits double from `base_s` up to `cap_s`, with full jitter below the last half."""

    attempts: int = 6
    base_s: float = 0.5
    cap_s: float = 60.0

    def wait_s(self, attempt: int, error: CallError, rng: random.Random) -> float | None:
        """Seconds to wait after the `attempt`-th failure (from 1), or None to give up on this request."""
        if not error.retryable or attempt >= self.attempts:
            return None
        backoff = min(self.cap_s, self.base_s * 2.0 ** (attempt - 1))
        jittered = backoff * (0.5 + 0.5 * rng.random())
        return max(jittered, error.retry_after_s or 0.0)


@dataclass(slots=True)
class Breaker:
    """Opens on the first hopeless error before any success, or after `patience` failures in a row."""

    patience: int = 12
    failures: int = 0
    reason: str | None = None

    def succeeded(self) -> None:
        """A call was answered."""
        self.failures = 0

    def failed(self, error: CallError) -> None:
        """A call failed; sets `reason` when the model is given up."""
        self.failures += 1
        if error.hopeless:
            self.reason = f"{error.kind}: {error.message}"
        elif self.failures >= self.patience and error.kind != "rate_limited":
            self.reason = f"{self.failures} calls in a row failed, the last with {error.kind}: {error.message}"
