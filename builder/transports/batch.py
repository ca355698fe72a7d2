"""The batch transport: whole queues to the providers' batch APIs, at half price, done within a day.

Each batch is on record before it is submitted and again before anybody waits for it. Stop whenever you like: the
batches go on at the provider, and running again picks up what they brought.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from builder.journal.batches import Batch, BatchLedger
from builder.journal.store import Entry, Journal
from builder.providers.batches import BatchService, Item
from builder.providers.clock import now_text
from builder.providers.protocol import CallError
from builder.transports.backlog import backlog
from builder.transports.interrupt import Interrupt
from builder.transports.protocol import Ask, AskReport, Watcher
from builder.transports.purse import Purse
from schemas.chat import Completion, FailedAttempt
from schemas.key import digest

GROUP = 500
ROUNDS = 3
PATIENCE = 20


@dataclass(slots=True)
class BatchTransport:
    """Submits what has no answer in as few batches as the limits allow, waits, and records the results."""

    journal: Journal
    connect: Callable[[str], BatchService]
    watcher: Watcher
    poll_s: float = 30.0
    interrupt: Interrupt = field(default_factory=Interrupt)
    purse: Purse = field(default_factory=lambda: Purse(lambda _model: None))

    def ask(self, asks: Iterable[Ask]) -> AskReport:
        """Ask what has no answer yet; return what became of every request.

        Ctrl-C leaves the batches where they are and reports their requests as not asked.
        """
        report = AskReport()
        queues = backlog(asks, self.journal, self.watcher, report)
        if queues:
            with self.interrupt.listening():
                asyncio.run(self._run(queues, report))
        self.watcher.end()
        return report

    async def _run(self, queues: dict[str, deque[Ask]], report: AskReport) -> None:
        turn = asyncio.Lock()
        async with AsyncExitStack() as stack:
            lanes = []
            for model, queue in queues.items():
                service = self.connect(model)
                stack.push_async_callback(service.close)
                lanes.append(Lane(model, service, {ask.key: ask for ask in queue}, self, turn))
            for lane in lanes:  # before anybody submits, so that no new batch is taken for one a crash left
                await lane.recover(report)
            await asyncio.gather(*(lane.run(report) for lane in lanes))


@dataclass(slots=True)
class Lane:
    """One model's missing answers, and its batches.

    Lanes take turns to submit, so that a crash leaves at most one batch whose id is not on record.
    """

    model: str
    service: BatchService
    missing: dict[str, Ask]
    transport: BatchTransport
    turn: asyncio.Lock
    trouble: str | None = None
    last_error: dict[str, str] = field(default_factory=dict)
    held: dict[str, float] = field(default_factory=dict)
    short: bool = False

    async def recover(self, report: AskReport) -> None:
        """Find out at the provider whether batches whose ids are not on record were submitted."""
        ledger = BatchLedger(self.transport.journal)
        try:
            for batch in ledger.open([self.model]):
                await self._found(batch, ledger)
        except CallError as error:
            report.stopped[self.model] = f"{error.kind}: {error.message}"

    async def run(self, report: AskReport) -> None:
        """Submit, wait and read until nothing is missing, a few rounds have passed, or the user stops."""
        try:
            for _ in range(ROUNDS):
                if not self.missing or self._stopping or self.model in report.stopped:
                    break
                await self._round(report)
        except CallError as error:
            report.stopped[self.model] = f"{error.kind}: {error.message}"
        for key in self.missing:
            if key in self.last_error:
                report.failed[key] = self.last_error[key]
            else:
                report.not_asked[key] = report.stopped.get(self.model) or self._why_stopped()

    @property
    def _stopping(self) -> bool:
        return self.transport.interrupt.asked or self.transport.purse.empty

    def _why_stopped(self) -> str:
        if self.short and not self.transport.purse.empty and not self.transport.interrupt.asked:
            return "the budget had no room for them beside the batches under way"
        return self.trouble or (self.transport.purse.why if self.transport.purse.empty else "interrupted")

    async def _round(self, report: AskReport) -> None:
        ledger = BatchLedger(self.transport.journal)
        batches = [await self._found(batch, ledger) for batch in ledger.open([self.model])]
        waiting = [batch for batch in batches if batch is not None]
        covered = {key for batch in waiting for key in batch.keys}
        free = [ask for key, ask in self.missing.items() if key not in covered]
        waiting.extend([await self._submit(chunk, ledger) for chunk in self._chunks(free)])
        ends = await asyncio.gather(*(self._collect(b, ledger, report) for b in waiting), return_exceptions=True)
        for end in ends:
            if end is not None:
                raise end

    async def _found(self, batch: Batch, ledger: BatchLedger) -> Batch | None:
        """A batch with its id; one that never reached the provider is taken back."""
        if batch.batch_id is not None:
            return batch
        name = await self.service.find(batch.tag, len(batch.keys), batch.since)
        if name is None or name in ledger.known_ids():
            ledger.forget(batch.tag)
            return None
        ledger.submitted(batch.tag, name)
        return batch._replace(batch_id=name)

    def _chunks(self, asks: Iterable[Ask]) -> Iterator[list[Item]]:
        chunk: list[Item] = []
        size = 0
        for ask in asks:
            held = self.transport.purse.hold(ask.request)
            if held is None:
                self.short = True
                break
            self.held[ask.key] = held
            item = Item(ask.key, ask.request)
            limits, bytes_ = self.service.limits, self.service.size(item)
            if chunk and (len(chunk) >= limits.requests or size + bytes_ > limits.bytes):
                yield chunk
                chunk, size = [], 0
            chunk.append(item)
            size += bytes_
        if chunk:
            yield chunk

    async def _submit(self, chunk: list[Item], ledger: BatchLedger) -> Batch:
        keys = tuple(item.key for item in chunk)
        async with self.turn:
            tag = digest("batch", str(ledger.count()), *keys)[:32]
            batch = Batch(tag, self.model, keys, now_text(), None)
            ledger.intend(batch)
            name = await self.service.submit(chunk, tag)
            ledger.submitted(tag, name)
        return batch._replace(batch_id=name)

    async def _collect(self, batch: Batch, ledger: BatchLedger, report: AskReport) -> None:
        if not await self._ended(batch, ledger):
            return
        try:
            await self._read(batch, report)
        except CallError as error:
            if not error.retryable:
                raise
            self.trouble = f"{error.kind}: {error.message}"
        else:
            ledger.ended(batch.tag)

    async def _read(self, batch: Batch, report: AskReport) -> None:
        group: list[Entry] = []
        try:
            async for key, result in self.service.results(batch.batch_id or ""):
                if (ask := self.missing.get(key)) is not None:
                    group.append(self._entry(ask, result, report))
                if len(group) >= GROUP:
                    self.transport.journal.append(group)
                    group = []
        finally:
            self.transport.journal.append(group)

    async def _ended(self, batch: Batch, ledger: BatchLedger) -> bool:
        failures = 0
        while not self.transport.interrupt.asked:
            try:
                state = await self.service.state(batch.batch_id or "")
            except CallError as error:
                failures += 1
                if not error.retryable or failures >= PATIENCE:
                    raise
            else:
                failures = 0
                if state.error is not None:
                    ledger.ended(batch.tag)
                    raise CallError("rejected", f"the batch was refused: {state.error}")
                if state.ended:
                    return True
            await self.transport.interrupt.sleep(self.transport.poll_s)
        return False

    def _entry(self, ask: Ask, result: Completion | CallError, report: AskReport) -> Entry:
        if isinstance(result, CallError):
            self.last_error[ask.key] = f"{result.kind}: {result.message}"
            self.transport.purse.ended(self.model, self.held.pop(ask.key, 0.0), result)
            self.transport.watcher.failed(ask.stage, self.model, result.kind)
            failed = FailedAttempt(ask.key, result.kind, result.message, result.status, now_text())
            return Entry(ask.stage, ask.request, failed)
        del self.missing[ask.key]
        self.last_error.pop(ask.key, None)
        self.transport.purse.ended(self.model, self.held.pop(ask.key, 0.0), result)
        report.answered += 1
        report.outcomes[result.outcome] += 1
        self.transport.watcher.answered(ask.stage, result, self.model)
        return Entry(ask.stage, ask.request, result)
