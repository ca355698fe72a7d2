"""One model's dealings with its batch service: submitting once, finding again, waiting for the end."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TypeVar

from builder.journal.batches import Batch, BatchLedger
from builder.providers.batches import BatchService, BatchState, Item
from builder.providers.clock import now_text
from builder.providers.protocol import CallError
from builder.transports.interrupt import Interrupt
from builder.transports.retry import RetryPolicy
from schemas.key import digest

MAY_HAVE_ARRIVED = frozenset({"server", "connection", "timeout", "malformed"})
PATIENCE = 20
LONGEST_WAIT_S = 900.0
LINES_OF_PROOF = 20
Value = TypeVar("Value")


@dataclass(slots=True)
class BatchDesk:
    """Desks take turns to submit, so that a crash leaves at most one batch whose id is not on record.

    `suspects` are, by tag, the ids of batches that may be the one under it; the results will prove which is.
    """

    model: str
    service: BatchService
    ledger: BatchLedger
    interrupt: Interrupt
    poll_s: float
    policy: RetryPolicy
    rng: random.Random
    turn: asyncio.Lock
    suspects: dict[str, tuple[str, ...]] = field(default_factory=dict)

    async def submit(self, items: Sequence[Item]) -> Batch:
        """The batch of these requests, tried again where the provider surely does not have it.

        Raises CallError if it cannot be had; if the batch may be there all the same, it is open in the ledger.
        """
        attempt = 0
        while not isinstance(made := await self._submit(items), Batch):
            attempt += 1
            await self._wait_after(attempt, made)
        return made

    async def sight(self, batch: Batch) -> Batch | None:
        """A batch whose id is not on record, with its id or with suspects; None, and forgotten, if there is none."""
        found = await self.patiently(lambda: self.service.find(batch.tag, len(batch.keys), batch.since))
        names = tuple(name for name in found.ids if name not in self.ledger.known_ids())
        if not names:
            self.ledger.forget(batch.tag)
            return None
        if found.proved:
            return self._identified(batch, names[0])
        self.suspects[batch.tag] = names
        return batch

    async def identify(self, batch: Batch) -> Batch | None:
        """The batch with its id, once a suspect has ended whose results are its own; None, and forgotten, if none is.

        After an interrupt it comes back as it is.
        """
        if batch.tag not in self.suspects:
            sighted = await self.sight(batch)
            if sighted is None or sighted.batch_id is not None:
                return sighted
        for name in self.suspects[batch.tag]:
            if name in self.ledger.known_ids():
                continue
            try:
                if not (await self.ended(name)).ended:
                    return batch
                if await self._proved(name, frozenset(batch.keys)):
                    return self._identified(batch, name)
            except CallError as error:
                if error.kind != "not_found":
                    raise
        self.ledger.forget(batch.tag)
        return None

    async def ended(self, batch_id: str) -> BatchState:
        """The state of a batch when it has ended, or when the user asks to stop.

        Raises CallError if the provider does not tell.
        """
        failures = 0
        while not self.interrupt.asked:
            try:
                state = await self.service.state(batch_id)
            except CallError as error:
                failures += 1
                if not error.retryable or failures >= PATIENCE:
                    raise
            else:
                failures = 0
                if state.ended or state.error is not None:
                    return state
            await self.interrupt.sleep(self.poll_s)
        return BatchState(ended=False, done=0)

    async def patiently(self, call: Callable[[], Awaitable[Value]]) -> Value:
        """What the call returns, tried again as the policy allows. Raises the last CallError."""
        attempt = 0
        while True:
            try:
                return await call()
            except CallError as error:
                attempt += 1
                await self._wait_after(attempt, error)

    async def _submit(self, items: Sequence[Item]) -> Batch | CallError:
        """The batch, or why the provider surely has none."""
        keys, since = tuple(item.key for item in items), now_text()
        async with self.turn:
            batch = Batch(digest("batch", str(self.ledger.count()), since, *keys)[:32], self.model, keys, since, None)
            self.ledger.intend(batch)
            try:
                return self._identified(batch, await self.service.submit(items, batch.tag))
            except CallError as error:
                if not error.sent or error.kind not in MAY_HAVE_ARRIVED:
                    self.ledger.forget(batch.tag)
                    return error
                await self.interrupt.sleep(self.poll_s)
                if self.interrupt.asked:
                    raise
                return await self.sight(batch) or error

    async def _wait_after(self, attempt: int, error: CallError) -> None:
        wait_s = self.policy.wait_s(attempt, error, self.rng)
        if wait_s is None or wait_s > LONGEST_WAIT_S or self.interrupt.asked:
            raise error
        await self.interrupt.sleep(wait_s)

    async def _proved(self, batch_id: str, keys: frozenset[str]) -> bool:
        lines = 0
        async with aclosing(self.service.results(batch_id)) as results:
            async for key, _ in results:
                lines += 1
                if key in keys or lines >= LINES_OF_PROOF:
                    return key in keys
        return False

    def _identified(self, batch: Batch, batch_id: str) -> Batch:
        self.ledger.submitted(batch.tag, batch_id)
        self.suspects.pop(batch.tag, None)
        return batch._replace(batch_id=batch_id)
