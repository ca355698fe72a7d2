"""The batch transport: whole queues to the providers' batch APIs, at half price, done within a day.

Each batch is on record before it is submitted and again before anybody waits for it. Stop whenever you like: the
batches go on at the provider, and running again picks up what they brought.
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from builder.journal.batches import BatchLedger
from builder.journal.store import Journal
from builder.providers.batches import BatchService
from builder.transports.backlog import backlog
from builder.transports.batch_answers import BatchAnswers
from builder.transports.batch_desk import BatchDesk
from builder.transports.batch_holds import BatchHolds
from builder.transports.batch_lane import BatchLane
from builder.transports.interrupt import Interrupt
from builder.transports.protocol import Ask, AskReport, Watcher
from builder.transports.purse import Purse
from builder.transports.retry import RetryPolicy


@dataclass(slots=True)
class BatchTransport:
    """Submits what has no answer in as few batches as the limits allow, waits, and records the results."""

    journal: Journal
    connect: Callable[[str], BatchService]
    watcher: Watcher
    poll_s: float = 30.0
    interrupt: Interrupt = field(default_factory=Interrupt)
    purse: Purse = field(default_factory=lambda: Purse(lambda _model: None))
    policy: RetryPolicy = field(default_factory=RetryPolicy)
    rng: random.Random = field(default_factory=random.Random)
    _given_up: dict[str, str] = field(default_factory=dict)

    def ask(self, asks: Iterable[Ask]) -> AskReport:
        """Ask what has no answer yet; return what became of every request.

        Ctrl-C leaves the batches where they are and reports their requests as not asked.
        """
        report = AskReport()
        queues = backlog(asks, self.journal, self.watcher, report)
        try:
            if queues:
                with self.interrupt.listening():
                    asyncio.run(self._run(queues, report))
        finally:
            self.watcher.end()
        return report

    async def _run(self, queues: dict[str, deque[Ask]], report: AskReport) -> None:
        turn = asyncio.Lock()
        async with AsyncExitStack() as stack:
            lanes: list[BatchLane] = []
            for model, queue in queues.items():
                if (why := self._given_up.get(model)) is not None:
                    report.stopped[model] = why
                    report.not_asked.update({ask.key: why for ask in queue})
                    continue
                service = self.connect(model)
                stack.push_async_callback(service.close)
                lanes.append(self._lane(model, service, queue, report, turn))
            for lane in lanes:  # before anybody submits, so that no new batch is taken for one a crash left
                await lane.recover()
            await asyncio.gather(*(lane.run([peer.holds for peer in lanes if peer is not lane]) for lane in lanes))
            self._given_up.update({lane.desk.model: report.stopped[lane.desk.model] for lane in lanes if lane.hopeless})

    def _lane(
        self, model: str, service: BatchService, queue: deque[Ask], report: AskReport, turn: asyncio.Lock
    ) -> BatchLane:
        holds = BatchHolds(model, self.purse)
        answers = BatchAnswers({ask.key: ask for ask in queue}, holds, self.journal, self.watcher, report)
        ledger = BatchLedger(self.journal)
        desk = BatchDesk(model, service, ledger, self.interrupt, self.poll_s, self.policy, self.rng, turn)
        return BatchLane(desk, answers)
