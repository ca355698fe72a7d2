"""Servers with limits, in the time of the event loop: what they allow, what they count, and what they tell of it."""

import asyncio
import random
from dataclasses import dataclass, field

from builder.providers.allowance import Allowance, Window
from builder.providers.protocol import CallError
from schemas.chat import ChatRequest, Completion, Usage
from schemas.vocabulary import Outcome


@dataclass(slots=True)
class Metered:
    """A provider that pushes back by the rules its subclass sets in `admit`; `calls` counts all, `refused` the rest."""

    latency_s: float = 1.0
    tells: bool = True
    names_a_time: bool = True
    calls: int = 0
    refused: int = 0
    inside: int = 0
    most_inside: int = 0
    allowance: Allowance | None = None
    rng: random.Random = field(default_factory=lambda: random.Random(0))

    def admit(self) -> float | None:
        """None if the call is let in, else the seconds it is asked to wait."""
        return None

    def told(self) -> Allowance | None:
        """What the headers of an answer say."""
        return None

    async def complete(self, request: ChatRequest, key: str) -> Completion:  # noqa: ARG002 - every request is alike
        self.calls += 1
        wait_s = self.admit()
        said = self.told() if self.tells else None
        if wait_s is not None:
            self.refused += 1
            await asyncio.sleep(0.02)
            self.allowance = said
            raise CallError(
                "rate_limited", "slow down", status=429, retry_after_s=wait_s if self.names_a_time else None
            )
        self.inside += 1
        self.most_inside = max(self.most_inside, self.inside)
        await asyncio.sleep(self.latency_s * (0.5 + self.rng.random()))
        self.inside -= 1
        self.allowance = said
        return Completion(key, Outcome.TEXT, "ok", usage=Usage(80, 20))

    async def close(self) -> None:
        """Nothing to give back."""


@dataclass(slots=True)
class FixedWindow(Metered):
    """At most `most` calls in each `window_s` seconds."""

    most: int = 100
    window_s: float = 60.0
    began: float = 0.0
    used: int = 0

    def _left_s(self) -> float:
        now = asyncio.get_running_loop().time()
        if now >= self.began + self.window_s:
            self.began, self.used = now, 0
        return self.began + self.window_s - now

    def admit(self) -> float | None:
        left_s = self._left_s()
        if self.used >= self.most:
            return left_s
        self.used += 1
        return None

    def told(self) -> Allowance:
        return Allowance(Window(self.most - self.used, self._left_s()))


@dataclass(slots=True)
class Bucket(Metered):
    """A bucket of `most` tokens that refills at `most` a minute; a call takes 100."""

    most: float = 10_000.0
    level: float = 10_000.0
    seen: float = 0.0

    def admit(self) -> float | None:
        now = asyncio.get_running_loop().time()
        self.level, self.seen = min(self.most, self.level + (now - self.seen) * self.most / 60), now
        if self.level < 100:
            return (100 - self.level) * 60 / self.most
        self.level -= 100
        return None

    def told(self) -> Allowance:
        return Allowance(None, Window(int(self.level), (self.most - self.level) * 60 / self.most))


@dataclass(slots=True)
class Crowded(Metered):
    """At most `most` calls at a time; tells nothing of it."""

    most: int = 10

    def admit(self) -> float | None:
        return 0.5 if self.inside >= self.most else None


@dataclass(slots=True)
class Moody(Metered):
    """Pushes back one call in `one_in`, at random, for no reason."""

    one_in: int = 20

    def admit(self) -> float | None:
        return 1.0 if self.rng.randrange(self.one_in) == 0 else None
