"""One model's missing answers on their way through batches: submit, wait, read, until nothing is missing."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from builder.journal.batches import Batch
from builder.providers.batches import Item
from builder.providers.protocol import CallError
from builder.transports.batch_answers import BatchAnswers
from builder.transports.batch_desk import BatchDesk
from builder.transports.batch_holds import BatchHolds
from builder.transports.protocol import Ask
from builder.transports.purse import BUDGET

TRIES = 3
NO_ROOM = f"{BUDGET} too little is left beside what calls under way may cost"


@dataclass(slots=True)
class BatchLane:
    """One model's batches. A request is submitted, and results that break off are read, at most three times a run."""

    desk: BatchDesk
    answers: BatchAnswers
    trouble: str | None = None
    short: bool = False
    hopeless: bool = False
    tries: Counter[str] = field(default_factory=Counter)
    reads: Counter[str] = field(default_factory=Counter)

    @property
    def holds(self) -> BatchHolds:
        """What is set aside of the budget for this model's batches."""
        return self.answers.holds

    async def recover(self) -> None:
        """Find out at the provider whether batches whose ids are not on record were submitted."""
        try:
            for batch in self._wanted():
                if batch.batch_id is None:
                    await self.desk.sight(batch)
        except CallError as error:
            self._stop(error)

    async def run(self, others: Sequence[BatchHolds]) -> None:
        """Go on until nothing is missing, nothing can be done, or the user stops; `others` share the budget."""
        try:
            while self.answers.missing and not self._stopped and await self._round(others):
                pass
        except CallError as error:
            self._stop(error)
        finally:
            self.holds.close()
        self._account()

    async def _round(self, others: Sequence[BatchHolds]) -> bool:
        """Submit what can be and read all that is under way; False if there is nothing to wait for."""
        self.short = False
        wanted = self._wanted()
        covered = {key for batch in wanted for key in batch.keys}
        self._set_aside(covered)
        waiting = [batch for batch in wanted if self.reads[batch.tag] < TRIES]
        refusal: CallError | None = None
        try:
            for chunk in self._chunks(ask for key, ask in self.answers.missing.items() if key not in covered):
                waiting.append(await self._submit(chunk))  # noqa: PERF401 - those before an error count
        except CallError as error:
            refusal = error
        if told := {key for batch in waiting for key in batch.keys if key in self.answers.missing}:
            self.answers.watcher.under_way(self.desk.model, len(told), len(waiting))
        await self._collect_all(waiting)
        if refusal is not None:
            raise refusal
        if waiting or not self.short or self._spent or not any(held.total > 0 for held in others):
            return bool(waiting)
        await self.desk.interrupt.sleep(self.desk.poll_s)
        return True

    def _set_aside(self, keys: Iterable[str]) -> None:
        """Let the budget know of what an earlier run submitted, as far as there is room."""
        for key in keys:
            ask = self.answers.missing.get(key)
            if ask is not None and key not in self.holds.by_key:
                self.holds.take(ask)

    def _wanted(self) -> list[Batch]:
        missing = self.answers.missing.keys()
        return [batch for batch in self.desk.ledger.open([self.desk.model]) if not missing.isdisjoint(batch.keys)]

    def _chunks(self, asks: Iterable[Ask]) -> Iterator[list[Item]]:
        """Batches of what may be submitted, as large as the limits and the budget allow."""
        service, chunk, size = self.desk.service, list[Item](), 0
        for ask in asks:
            error = self.answers.errors.get(ask.key)
            if self.tries[ask.key] >= TRIES or (error is not None and not error.retryable):
                continue
            item = Item(ask.key, ask.request)
            bytes_ = service.size(item)
            if chunk and (len(chunk) >= service.limits.requests or size + bytes_ > service.limits.bytes):
                yield chunk
                chunk, size = [], 0
            if self._stopped or self._spent or not self.holds.take(ask):
                self.short = True
                break
            chunk.append(item)
            size += bytes_
        if chunk:
            yield chunk

    async def _submit(self, chunk: list[Item]) -> Batch:
        keys = [item.key for item in chunk]
        self.tries.update(keys)
        try:
            batch = await self.desk.submit(chunk)
        except CallError:
            under_way = {key for batch in self._wanted() for key in batch.keys}
            self.holds.give_back(key for key in keys if key not in under_way)
            raise
        for key in keys:
            self.answers.errors.pop(key, None)
        return batch

    async def _collect_all(self, batches: Sequence[Batch]) -> None:
        ends = await asyncio.gather(*(self._collect(batch) for batch in batches), return_exceptions=True)
        for end in sorted((end for end in ends if end is not None), key=lambda end: isinstance(end, CallError)):
            raise end

    async def _collect(self, batch: Batch) -> None:
        if batch.batch_id is None:
            await self._identify(batch)
            return
        try:
            state = await self.desk.ended(batch.batch_id)
        except CallError as error:
            await self._gone(batch, error)
            return
        if state.error is not None:
            self.desk.ledger.ended(batch.tag)
            self.holds.give_back(batch.keys)
            raise CallError("rejected", f"the batch was refused: {state.error}")
        if state.ended:
            await self._read(batch, batch.batch_id)

    async def _identify(self, batch: Batch) -> None:
        try:
            known = await self.desk.identify(batch)
        except CallError as error:
            self._troubled(batch, error)
            return
        if known is None:
            self.holds.give_back(batch.keys)
        elif known.batch_id is not None:
            await self._collect(known)

    async def _read(self, batch: Batch, batch_id: str) -> None:
        try:
            await self.answers.read(batch.keys, self.desk.service.results(batch_id))
        except CallError as error:
            if self._is_lost(batch, error):
                self._lost(batch, error)
            else:
                self._troubled(batch, error)
        else:
            self.desk.ledger.read(batch.tag, self.answers.unread(batch.keys))

    async def _gone(self, batch: Batch, error: CallError) -> None:
        """Take the batch for lost, unless its service is not found either, which is a wrong address."""
        if not self._is_lost(batch, error):
            raise error
        await self.desk.patiently(lambda: self.desk.service.find(batch.tag, len(batch.keys), batch.since))
        self._lost(batch, error)

    def _is_lost(self, batch: Batch, error: CallError) -> bool:
        """Whether a batch is gone; one of this run cannot be yet, and asking anew at once could go on for ever."""
        return error.kind == "not_found" and not any(self.tries[key] for key in batch.keys)

    def _lost(self, batch: Batch, error: CallError) -> None:
        self.desk.ledger.ended(batch.tag)
        self.holds.give_back(batch.keys)  # an earlier run paid for it
        self.answers.lost(batch.keys, f"the provider no longer has the batch or its results: {error.message}")

    def _troubled(self, batch: Batch, error: CallError) -> None:
        if not error.retryable:
            raise error
        self.reads[batch.tag] += 1
        self.trouble = f"{error.kind}: {error.message}"

    @property
    def _stopped(self) -> bool:
        return self.desk.interrupt.asked or self.desk.model in self.answers.report.stopped

    @property
    def _spent(self) -> bool:
        return self.holds.purse.empty_for(self.desk.model)

    def _stop(self, error: CallError) -> None:
        self.hopeless = self.hopeless or error.hopeless
        if not (self.desk.interrupt.asked and error.retryable):
            why = f"{error.kind}: {error.message}"
            self.answers.report.stopped[self.desk.model] = why
            self.answers.watcher.given_up(self.desk.model, why)

    def _account(self) -> None:
        report, why = self.answers.report, self._why()
        for key in self.answers.missing:
            error = self.answers.errors.get(key)
            if error is not None:
                report.failed[key] = f"{error.kind}: {error.message}"
            else:
                report.not_asked[key] = why

    def _why(self) -> str:
        if (stopped := self.answers.report.stopped.get(self.desk.model)) is not None:
            return stopped
        if self.desk.interrupt.asked:
            return "interrupted"
        return self.trouble or (self.holds.purse.why if self._spent else NO_ROOM)
