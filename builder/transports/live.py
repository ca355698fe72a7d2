"""The live transport: asyncio, the providers' SDKs, one gate a model, every attempt journalled."""

import asyncio
import gc
import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field

from builder.journal.batches import BatchLedger
from builder.journal.store import Entry, Journal
from builder.journal.writer import JournalWriter
from builder.providers.clock import now_text
from builder.providers.protocol import CallError, Provider
from builder.transports.backlog import backlog
from builder.transports.gate import Gate
from builder.transports.interrupt import Interrupt
from builder.transports.lane import Lane
from builder.transports.protocol import Ask, AskReport, Watcher
from builder.transports.purse import Purse
from builder.transports.retry import Breaker, RetryPolicy
from schemas.chat import Completion, FailedAttempt

NEW_OBJECTS = 20_000
GLANCE_S = 0.05


@dataclass(slots=True)
class LiveTransport:
    """Asks each model at most `concurrency(model)` things at once and records every attempt before counting it."""

    journal: Journal
    connect: Callable[[str], Provider]
    watcher: Watcher
    concurrency: Callable[[str], int] = lambda _model: 50
    policy: RetryPolicy = field(default_factory=RetryPolicy)
    rng: random.Random = field(default_factory=random.Random)
    interrupt: Interrupt = field(default_factory=Interrupt)
    purse: Purse = field(default_factory=lambda: Purse(lambda _model: None))
    _gates: dict[str, Gate] = field(default_factory=dict)
    _given_up: dict[str, str] = field(default_factory=dict)

    def ask(self, asks: Iterable[Ask]) -> AskReport:
        """Ask what has no answer yet; return what became of every request.

        Ctrl-C once gives the calls in flight a few seconds to end and be journalled, twice cuts them off; what was not
        answered is reported as not asked.
        Raises JournalError if an answer cannot be stored.
        """
        report = AskReport()
        queues = backlog(asks, self.journal, self.watcher, report, BatchLedger(self.journal).keys_under_way)
        if queues:
            with self.interrupt.listening(), _collecting_little():
                self._run_to_the_end(queues, report)
        elif report.already or report.not_asked:
            self.watcher.end()
        return report

    def _run_to_the_end(self, queues: dict[str, deque[Ask]], report: AskReport) -> None:
        try:
            asyncio.run(self._run(queues, report))
        finally:
            self.watcher.end()

    async def _run(self, queues: dict[str, deque[Ask]], report: AskReport) -> None:
        async with AsyncExitStack() as stack:
            lanes = [await self._open(model, queue, stack) for model, queue in queues.items()]
            async with JournalWriter(self.journal) as writer:
                await self._serve(lanes, writer, report)
        for lane in lanes:
            self._account_for_rest(lane, report)

    async def _serve(self, lanes: list[Lane], writer: JournalWriter, report: AskReport) -> None:
        minder = asyncio.create_task(self._mind_the_user(lanes))
        self.interrupt.calls_in_flight = True
        try:
            async with asyncio.TaskGroup() as tasks:
                for lane in lanes:
                    for _ in range(lane.workers):
                        tasks.create_task(self._work(lane, writer, report))
        except ExceptionGroup as group:
            raise group.exceptions[0] from None
        finally:
            self.interrupt.calls_in_flight = False
            minder.cancel()

    async def _mind_the_user(self, lanes: list[Lane]) -> None:
        await self.interrupt.wait()
        for lane in lanes:
            await lane.gate.shut()
        await self.interrupt.drained()
        for lane in lanes:
            lane.cut_off()

    async def _open(self, model: str, queue: deque[Ask], stack: AsyncExitStack) -> Lane:
        provider = await asyncio.to_thread(self.connect, model)
        stack.push_async_callback(provider.close)
        return self._lane(model, provider, queue, min(self.concurrency(model), len(queue)))

    def _lane(self, model: str, provider: Provider, queue: deque[Ask], workers: int) -> Lane:
        gate = self._gates.setdefault(model, Gate(self.concurrency(model)))
        gate.reopen()
        why = self._given_up.get(model)
        return Lane(model, provider, queue, gate, workers, Breaker(self.policy, reason=why, for_good=why is not None))

    def _account_for_rest(self, lane: Lane, report: AskReport) -> None:
        if lane.breaker.reason is not None:
            report.stopped[lane.model] = lane.breaker.reason
            if lane.breaker.for_good:
                self._given_up[lane.model] = lane.breaker.reason
        why = lane.breaker.reason or (self.purse.why if self.purse.empty_for(lane.model) else "interrupted")
        report.not_asked.update({ask.key: why for ask in lane.queue})

    async def _work(self, lane: Lane, writer: JournalWriter, report: AskReport) -> None:
        while lane.queue and not self._stopping(lane):
            ask = lane.queue.popleft()
            if not await self._until_answered(lane, ask, writer, report):
                lane.queue.appendleft(ask)

    def _stopping(self, lane: Lane) -> bool:
        return lane.breaker.reason is not None or self.interrupt.asked or self.purse.empty_for(lane.model)

    async def _until_answered(self, lane: Lane, ask: Ask, writer: JournalWriter, report: AskReport) -> bool:
        """Whether the ask has ended, with an answer or a failure; if not, it is to be asked another time."""
        attempt = 0
        while (result := await self._attempt(lane, ask)) is not None:
            attempt += 1
            await self._record(ask, result, writer, report)
            self._tell_of_end(lane)
            if isinstance(result, Completion):
                return True
            wait_s = self.policy.wait_s(attempt, result, self.rng)
            if wait_s is None:
                report.failed[ask.key] = f"{result.kind}: {result.message}"
                return True
            await self.interrupt.sleep(wait_s, lambda: self._stopping(lane))
        return False

    def _tell_of_end(self, lane: Lane) -> None:
        if lane.breaker.reason is not None and not lane.closed:
            lane.closed = True
            self.watcher.given_up(lane.model, lane.breaker.reason)

    async def _attempt(self, lane: Lane, ask: Ask) -> Completion | CallError | None:
        ticket = await lane.gate.enter()
        if ticket is None:
            return None
        if self._stopping(lane):
            await lane.gate.leave()
            return None
        result: Completion | CallError | None = None
        held = await self._room_for(ask)
        try:
            if held is not None:
                result = await lane.call(ask, ticket)
        finally:
            if held is not None:
                self.purse.ended(lane.model, held, result)
            await lane.gate.leave()
        if lane.breaker.reason is not None:
            await lane.gate.shut()
        self.watcher.waiting(lane.model, lane.gate.pause_s if lane.queue and not self._stopping(lane) else 0.0)
        return result

    async def _room_for(self, ask: Ask) -> float | None:
        """What is set aside for the call, once the budget has room beside those in flight; None if it never has."""
        while (held := self.purse.hold(ask.request)) is None and not self.purse.empty and not self.interrupt.asked:
            await asyncio.sleep(GLANCE_S)
        return held

    async def _record(self, ask: Ask, result: Completion | CallError, writer: JournalWriter, report: AskReport) -> None:
        if isinstance(result, CallError):
            failed = FailedAttempt(ask.key, result.kind, result.message, result.status, now_text())
            await writer.record(Entry(ask.stage, ask.request, failed))
            self.watcher.failed(ask.stage, ask.request.model, result.kind)
            return
        await writer.record(Entry(ask.stage, ask.request, result))
        report.answered += 1
        report.outcomes[result.outcome] += 1
        self.watcher.answered(ask.stage, result, ask.request.model)


@contextmanager
def _collecting_little() -> Iterator[None]:
    """Spare the garbage collector what is there already, the plan above all, and let it look for less while we ask."""
    usual = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()
