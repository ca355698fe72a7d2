"""How many calls one model may have in flight: additive increase, multiplicative decrease."""

import asyncio
import time


class Gate:
    """Lets callers in while fewer than `limit` are inside; shrinks on pushback, grows back with success.

    A burst of refusals to serve counts once: the limit is halved at most once per `cooldown_s`.
    """

    def __init__(self, ceiling: int, cooldown_s: float = 1.0) -> None:
        self._ceiling = ceiling
        self._limit = float(ceiling)
        self._cooldown_s = cooldown_s
        self._inside = 0
        self._last_cut = float("-inf")
        self._resume_at = 0.0
        self._turn = asyncio.Condition()

    @property
    def limit(self) -> int:
        """How many calls are allowed in flight now."""
        return max(1, int(self._limit))

    async def enter(self) -> None:
        """Wait for a place, and for the end of a pause the provider asked for."""
        async with self._turn:
            while self._inside >= self.limit:
                await self._turn.wait()
            self._inside += 1
        while (wait := self._resume_at - time.monotonic()) > 0:
            await asyncio.sleep(wait)

    async def leave(self, *, served: bool) -> None:
        """Give the place back; a call that was served lets the limit grow by one per full round."""
        async with self._turn:
            self._inside -= 1
            if served:
                self._limit = min(self._ceiling, self._limit + 1 / self._limit)
            self._turn.notify(max(1, self.limit - self._inside))

    def push_back(self, pause_s: float | None) -> None:
        """The provider asked for less: halve the limit, and let nobody in for `pause_s` seconds."""
        now = time.monotonic()
        if now - self._last_cut >= self._cooldown_s:
            self._last_cut = now
            self._limit = max(1.0, self._limit / 2)
        if pause_s is not None:
            self._resume_at = max(self._resume_at, now + pause_s)
