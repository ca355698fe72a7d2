"""The live transport: asyncio, the providers' SDKs, one gate a model, every attempt journalled."""

import asyncio
import random
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from builder.journal.store import Entry, Journal
from builder.journal.writer import JournalWriter
from builder.providers.clock import now_text
from builder.providers.protocol import CallError, Provider
from builder.transports.backlog import backlog
from builder.transports.gate import Gate
from builder.transports.interrupt import Interrupt
from builder.transports.protocol import Ask, AskReport, Watcher
from builder.transports.purse import Purse
from builder.transports.retry import Breaker, RetryPolicy
from schemas.chat import FailedAttempt, Usage


@dataclass(slots=True)
class Lane:
    """One model's queue: its provider, its gate, its breaker, and how many workers serve it."""

    model: str
    provider: Provider
    queue: deque[Ask]
    gate: Gate
    workers: int
    breaker: Breaker = field(default_factory=Breaker)


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

    def ask(self, asks: Iterable[Ask]) -> AskReport:
        """Ask what has no answer yet; return what became of every request.

        Ctrl-C once lets the calls in flight end and be journalled; the rest is reported as not asked.
        Raises JournalError if an answer cannot be stored.
        """
        report = AskReport()
        queues = backlog(asks, self.journal, self.watcher, report)
        if queues:
            with self.interrupt.listening():
                asyncio.run(self._run(queues, report))
        return report

    async def _run(self, queues: dict[str, deque[Ask]], report: AskReport) -> None:
        async with AsyncExitStack() as stack:
            lanes = [await self._open(model, queue, stack) for model, queue in queues.items()]
            async with JournalWriter(self.journal) as writer:
                await self._serve(lanes, writer, report)
        for lane in lanes:
            self._account_for_rest(lane, report)
        self.watcher.end()

    async def _serve(self, lanes: list[Lane], writer: JournalWriter, report: AskReport) -> None:
        try:
            async with asyncio.TaskGroup() as tasks:
                for lane in lanes:
                    for _ in range(lane.workers):
                        tasks.create_task(self._work(lane, writer, report))
        except ExceptionGroup as group:
            raise group.exceptions[0] from None

    async def _open(self, model: str, queue: deque[Ask], stack: AsyncExitStack) -> Lane:
        provider = await asyncio.to_thread(self.connect, model)
        stack.push_async_callback(provider.close)
        limit = self.concurrency(model)
        return Lane(model, provider, queue, Gate(limit), min(limit, len(queue)))

    def _account_for_rest(self, lane: Lane, report: AskReport) -> None:
        if lane.breaker.reason is not None:
            report.stopped[lane.model] = lane.breaker.reason
        why = lane.breaker.reason or ("the budget is spent" if self.purse.empty else "interrupted")
        report.not_asked.update({ask.key: why for ask in lane.queue})

    async def _work(self, lane: Lane, writer: JournalWriter, report: AskReport) -> None:
        while lane.queue and lane.breaker.reason is None and not self._stopping:
            await self._until_answered(lane, lane.queue.popleft(), writer, report)

    @property
    def _stopping(self) -> bool:
        return self.interrupt.asked or self.purse.empty

    async def _until_answered(self, lane: Lane, ask: Ask, writer: JournalWriter, report: AskReport) -> None:
        attempt = 0
        while True:
            attempt += 1
            held = self.purse.hold(ask.request)
            if held is None:
                lane.queue.appendleft(ask)
                return
            error = await self._attempt(lane, ask, writer, report, held)
            if error is None:
                return
            wait_s = self.policy.wait_s(attempt, error, self.rng)
            if wait_s is None or lane.breaker.reason is not None or self._stopping:
                report.failed[ask.key] = f"{error.kind}: {error.message}"
                return
            await self.interrupt.sleep(wait_s)

    async def _attempt(
        self, lane: Lane, ask: Ask, writer: JournalWriter, report: AskReport, held: float
    ) -> CallError | None:
        await lane.gate.enter()
        error: CallError | None = None
        usage: Usage | None = None
        try:
            completion = await lane.provider.complete(ask.request, ask.key)
            usage = completion.usage
        except CallError as failure:
            error = failure
        finally:
            self.purse.settle(lane.model, held, usage)
            await lane.gate.leave(served=error is None)
        if error is None:
            await writer.record(Entry(ask.stage, ask.request, completion))
            lane.breaker.succeeded()
            report.answered += 1
            report.outcomes[completion.outcome] += 1
            self.watcher.answered(ask.stage, completion, lane.model)
            return None
        if error.kind in ("rate_limited", "overloaded"):
            lane.gate.push_back(error.retry_after_s)
        lane.breaker.failed(error)
        failed = FailedAttempt(ask.key, error.kind, error.message, error.status, now_text())
        await writer.record(Entry(ask.stage, ask.request, failed))
        self.watcher.failed(ask.stage, lane.model, error.kind)
        return error
