"""The one retry layer: how long to wait before the next attempt, and when to give up. Pure."""

import random
from dataclasses import dataclass, field

from builder.providers.protocol import CallError

PUSHBACK = frozenset({"rate_limited", "overloaded"})


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """At most `attempts` tries, `pushed_back` where the server only asked for patience.

    Waits double from `base_s` up to `cap_s`, with full jitter below the last half.
    """

    attempts: int = 6
    pushed_back: int = 12
    base_s: float = 0.5
    cap_s: float = 60.0

    def wait_s(self, attempt: int, error: CallError, rng: random.Random) -> float | None:
        """Seconds to wait after the `attempt`-th failure (from 1), or None to give up on this request."""
        if not error.retryable or attempt >= self._most(error):
            return None
        backoff = min(self.cap_s, self.base_s * 2.0 ** (attempt - 1))
        jittered = backoff * (0.5 + 0.5 * rng.random())
        return max(jittered, error.retry_after_s or 0.0)

    def least_s(self, error: CallError) -> float:
        """The shortest time in which a request can use up its tries."""
        return sum(min(self.cap_s, self.base_s * 2.0**n) for n in range(self._most(error) - 1)) / 2

    def _most(self, error: CallError) -> int:
        return self.pushed_back if error.kind in PUSHBACK else self.attempts


@dataclass(slots=True)
class Breaker:
    """Gives a model up: on a hopeless error, when told to wait too long, or when it has only failed for long enough.

    The first two are `for_good`: no later stage of the run need try.

    That is after `patience` failures in a row, ten times as many if they are pushback, which is a sign of life; and not
    before a request could have used up its tries, for many calls at a time fail together in one moment of trouble.
    """

    policy: RetryPolicy = field(default_factory=RetryPolicy)
    patience: int = 12
    longest_wait_s: float = 900.0
    failures: int = 0
    since: float = 0.0
    reason: str | None = None
    for_good: bool = False

    def succeeded(self) -> None:
        """A call was answered."""
        self.failures = 0

    def failed(self, error: CallError, now: float) -> None:
        """A call failed, at the time `now` in seconds; sets `reason` when the model is given up."""
        self.since = self.since if self.failures else now
        self.failures += 1
        patience = self.patience * (10 if error.kind in PUSHBACK else 1)
        if error.hopeless:
            self.for_good = True
            self.reason = f"{error.kind}: {error.message}"
        elif error.retry_after_s is not None and error.retry_after_s > self.longest_wait_s:
            minutes = error.retry_after_s / 60
            self.for_good = True
            self.reason = f"{error.kind}: it asks to wait {minutes:,.0f} minutes; run the same command again then"
        elif self.failures >= patience and now - self.since >= self.policy.least_s(error):
            self.reason = f"{self.failures} attempts in a row failed, the last with {error.kind}: {error.message}"
