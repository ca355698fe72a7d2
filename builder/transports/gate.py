"""Who may call a model now: as many as it takes at a time, spread over what its rate limit leaves."""

import asyncio

from builder.providers.allowance import Allowance
from builder.transports.adapt import AdaptiveLimit

LONGEST_PAUSE_S = 60.0
LONGEST_SPREAD_S = 120.0
GLANCE_S = 0.2
SLACK_S = 0.05


class Gate:
    """Lets callers in, first come first served, while fewer than `limit` are inside.

    Each caller holds a ticket, the number of its entry: pushback of calls that entered before the last cut says nothing
    about the new limit, and what a server says it allows was true before later calls entered. Where less is allowed
    than is still wanted, entries are spread evenly over the time until the allowance is renewed.
    """

    def __init__(self, ceiling: int) -> None:
        self._size = AdaptiveLimit(ceiling)
        self._inside = 0
        self._entered = 0
        self._cut_at = 0
        self._heard_of = -1
        self._resume_at = 0.0
        self._dry_until = 0.0
        self._spacing_s = 0.0
        self._spread_until = 0.0
        self._last_entry = 0.0
        self._tokens_a_call: float | None = None
        self._shut = False
        self._place = asyncio.Condition()
        self._door = asyncio.Lock()

    def reopen(self) -> None:
        """Begin a new stage, in a new event loop: empty and open, and knowing what the server told before."""
        self._inside = 0
        self._shut = False
        self._tokens_a_call = None
        self._place, self._door = asyncio.Condition(), asyncio.Lock()

    @property
    def limit(self) -> int:
        """How many calls are allowed in flight now."""
        return self._size.limit

    @property
    def pause_s(self) -> float:
        """How long nobody is let in from now on, by what the server told; 0 if somebody is."""
        return max(0.0, self._resume_at - _now(), self._dry_until - _now())

    async def enter(self) -> int | None:
        """The caller's ticket, once there is a place and no pause; None if the gate was shut."""
        async with self._place:
            while self._inside >= self.limit and not self._shut:
                await self._place.wait()
            self._inside += 1
        if self._held() > 0:
            async with self._door:
                while not self._shut and (wait_s := self._held()) > 0:
                    await asyncio.sleep(min(wait_s, GLANCE_S))
        if self._shut:
            await self.leave()
            return None
        self._last_entry = max(self._last_entry + self._spacing_s, _now() - SLACK_S)
        self._entered += 1
        return self._entered

    async def leave(self) -> None:
        """Give the place back."""
        async with self._place:
            self._inside -= 1
            self._place.notify(max(1, self.limit - self._inside))

    async def shut(self) -> None:
        """Let nobody in any more; who waits is sent away."""
        async with self._place:
            self._shut = True
            self._place.notify_all()

    def served(self, tokens: int | None) -> None:
        """A call was answered and took so many tokens."""
        self._size.served()
        if tokens is not None:
            mean = tokens if self._tokens_a_call is None else self._tokens_a_call
            self._tokens_a_call = mean + (tokens - mean) / 20

    def refused(self, ticket: int, pause_s: float | None) -> None:
        """The model pushed back; a burst lowers the limit and, if the server named a time, holds everybody so long."""
        if ticket > self._cut_at and self._size.refused():
            self._cut_at = self._entered
            if pause_s is not None:
                self._resume_at = max(self._resume_at, _now() + min(pause_s, LONGEST_PAUSE_S))

    def hear(self, ticket: int, allowance: Allowance, wanted: int) -> None:
        """Spread or hold the next calls if fewer than `wanted` are allowed until the allowance is renewed."""
        if ticket < self._heard_of:
            return
        self._heard_of = ticket
        self._dry_until = self._spread_until = self._spacing_s = 0.0
        for window, cost in ((allowance.requests, 1.0), (allowance.tokens, self._tokens_a_call)):
            if window is None or cost is None:
                continue
            left = window.remaining / max(cost, 1.0) - (self._entered - ticket)
            if left < 1:
                self._dry_until = max(self._dry_until, _now() + min(window.reset_s, LONGEST_PAUSE_S))
            elif left < wanted and window.reset_s <= LONGEST_SPREAD_S:
                self._spacing_s = max(self._spacing_s, window.reset_s / left)
                self._spread_until = max(self._spread_until, _now() + window.reset_s)

    def _held(self) -> float:
        now = _now()
        next_entry = self._last_entry + self._spacing_s if now < self._spread_until else 0.0
        return max(self._resume_at, self._dry_until, next_entry) - now


def _now() -> float:
    return asyncio.get_running_loop().time()
