"""One model's lane: what is still to be asked of it, and everything that says how fast and how long."""

import asyncio
from collections import deque
from dataclasses import dataclass, field

from builder.providers.protocol import CallError, Provider
from builder.transports.gate import Gate
from builder.transports.protocol import Ask
from builder.transports.retry import PUSHBACK, Breaker
from schemas.chat import Completion


@dataclass(slots=True)
class Lane:
    """One model's queue: its provider, its gate, its breaker, and how many workers serve it.

    It is `closed` when the watcher knows that its model was given up.
    """

    model: str
    provider: Provider
    queue: deque[Ask]
    gate: Gate
    workers: int
    breaker: Breaker = field(default_factory=Breaker)
    calls: set[asyncio.Timeout] = field(default_factory=set)
    closed: bool = False

    async def call(self, ask: Ask, ticket: int) -> Completion | CallError | None:
        """What became of one call, with the gate and the breaker told of it; None if it was cut off."""
        result: Completion | CallError
        try:
            async with asyncio.timeout(None) as limit:
                self.calls.add(limit)
                result = await self.provider.complete(ask.request, ask.key)
        except CallError as error:
            result = error
        except TimeoutError:
            return None
        finally:
            self.calls.discard(limit)
        self._learn(result, ticket)
        return result

    def cut_off(self) -> None:
        """End every call in flight without its answer."""
        now = asyncio.get_running_loop().time()
        for limit in self.calls:
            limit.reschedule(now)

    def _learn(self, result: Completion | CallError, ticket: int) -> None:
        if self.provider.allowance is not None:
            self.gate.hear(ticket, self.provider.allowance, len(self.queue) + 1)
        if isinstance(result, Completion):
            self.breaker.succeeded()
            used = (result.usage.input_tokens, result.usage.output_tokens)
            self.gate.served(None if None in used else sum(count or 0 for count in used))
            return
        if result.kind in PUSHBACK:
            self.gate.refused(ticket, result.retry_after_s)
        self.breaker.failed(result, asyncio.get_running_loop().time())
