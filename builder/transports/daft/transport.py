"""The live transport with other hands: Daft's workers make the calls, everything else is as it is live.

Order, gates, retries, breaker, budget and journal stay in this process, where all workers' calls of one model go
through one gate, first come first served: that is what shares its rate limit fairly. A worker puts an attempt into the
store before it tells of it, and this process journals it before it counts.
"""

import asyncio
import os
import secrets
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from builder.journal.writer import JournalWriter
from builder.transports.daft.crew import Crew, FrameError
from builder.transports.daft.line import LONGEST, Post
from builder.transports.daft.remote import Elsewhere
from builder.transports.daft.shift import Shift
from builder.transports.daft.store import AttemptStore
from builder.transports.lane import Lane
from builder.transports.live import LiveTransport
from builder.transports.protocol import Ask, AskReport

PATIENCE = 3
LONGEST_FAREWELL_S = 10.0
LONGEST_RECORDING_S = 300.0


class Hands(Protocol):
    """Whoever gets a plan to the workers."""

    def host(self) -> str:
        """Get ready; returns the address of this process that workers reach. Raises FrameError."""
        ...

    def carry_out(self, asks: Sequence[Ask], post: Post) -> None:
        """Have workers ask everything; returns when they are through. Raises FrameError if they are not."""
        ...


def _daft_hands(crew: Crew) -> Hands:
    from builder.transports.daft.frame import DaftHands  # needs the extra

    return DaftHands(crew)


@dataclass
class DaftTransport(LiveTransport):
    """Has the crew's workers ask. `connect` opens only models of this machine, which one server serves for all workers.

    If workers die, what they had is given to new ones, until that brings nothing any more. One that has not answered
    `recording_s` after a call must have ended counts as dead, and on this machine is killed.
    """

    crew: Crew = field(kw_only=True)
    hands: Callable[[Crew], Hands] = field(default=_daft_hands, kw_only=True)
    settled: set[str] = field(default_factory=set, kw_only=True)
    recording_s: float = field(default=LONGEST_RECORDING_S, kw_only=True)

    async def serve(self, lane: Lane, writer: JournalWriter, report: AskReport) -> list[BaseException | None]:
        """Work a lane off; returns what each of its hands ended with: None, or the error that stopped it."""
        hands = [self._work(lane, writer, report) for _ in range(lane.workers)]
        return await asyncio.gather(*hands, return_exceptions=True)

    async def _run(self, queues: dict[str, deque[Ask]], report: AskReport) -> None:
        self.settled.clear()
        missing = {ask.key: ask for queue in queues.values() for ask in queue}
        async with AsyncExitStack() as stack:
            lanes = {model: await self._open_shared(model, stack) for model in queues}
            async with JournalWriter(self.journal) as writer:
                shift = Shift(
                    lanes,
                    missing,
                    self.settled,
                    lambda lane: self.serve(lane, writer, report),
                    secrets.token_hex(32),
                    patience_s=self.crew.config.call_timeout_s + self.recording_s,
                    here=self.crew.ray is None,
                )
                minder = asyncio.create_task(self._mind_the_user(list(lanes.values())))
                self.interrupt.calls_in_flight = True
                try:
                    await self._let_work(shift)
                finally:
                    self.interrupt.calls_in_flight = False
                    minder.cancel()
        for ask in missing.values():
            lanes[ask.request.model].queue.append(ask)
        for lane in lanes.values():
            self._account_for_rest(lane, report)

    async def _open_shared(self, model: str, stack: AsyncExitStack) -> Lane:
        provider = await asyncio.to_thread(self.connect, model) if model.startswith("local/") else Elsewhere()
        stack.push_async_callback(provider.close)
        return self._lane(model, provider, deque(), self.concurrency(model))

    async def _let_work(self, shift: Shift) -> None:
        hands = self.hands(self.crew)
        host = await asyncio.to_thread(hands.host)
        store = AttemptStore(self.crew.store)
        store.put(self.crew.sign, b"")
        server = await asyncio.start_server(shift.meet, host, 0, limit=LONGEST)
        post = Post(host, server.sockets[0].getsockname()[1], shift.token)
        async with server:
            fruitless = 0
            while fruitless < PATIENCE and (asks := self._wanted(shift)):
                ended = len(self.settled)
                await self._round(shift, partial(hands.carry_out, asks, post))
                fruitless = 0 if len(self.settled) > ended else fruitless + 1
        store.delete(self.crew.sign)

    def _wanted(self, shift: Shift) -> list[Ask]:
        return [ask for ask in shift.missing.values() if not self._stopping(shift.lanes[ask.request.model])]

    async def _round(self, shift: Shift, work: Callable[[], None]) -> None:
        lost, shift.closing = shift.lost, False
        (trouble,) = await asyncio.gather(asyncio.wrap_future(_in_thread(work)), return_exceptions=True)
        await shift.all_over()
        if self.crew.ray is None and (self.interrupt.asked or trouble is not None):
            await _until_gone(shift.workers)
        if shift.fault is not None:
            raise shift.fault
        made_up_for = isinstance(trouble, FrameError) and (shift.lost > lost or self.interrupt.asked)
        if trouble is not None and not made_up_for:
            raise trouble

    async def _until_answered(self, lane: Lane, ask: Ask, writer: JournalWriter, report: AskReport) -> bool:
        ended = await super()._until_answered(lane, ask, writer, report)
        if ended:
            self.settled.add(ask.key)
        return ended

    def _account_for_rest(self, lane: Lane, report: AskReport) -> None:
        if not self._stopping(lane):
            report.failed.update({ask.key: "worker: it ended before the answer was there" for ask in lane.queue})
            lane.queue.clear()
        super()._account_for_rest(lane, report)


async def _until_gone(workers: set[int]) -> None:
    """Wait for Daft to be rid of its processes: a program that ends before that is aborted."""
    clock = asyncio.get_running_loop().time
    deadline = clock() + LONGEST_FAREWELL_S
    while any(_alive(pid) for pid in workers) and clock() < deadline:
        await asyncio.sleep(0.1)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def _in_thread(work: Callable[[], None]) -> Future[None]:
    """What the work ends with. Its thread does not keep the program alive when the user stops it at once."""
    ending: Future[None] = Future()

    def body() -> None:
        try:
            work()
            ending.set_result(None)
        except BaseException as error:  # noqa: BLE001 - handed to whoever waits
            ending.set_exception(error)

    threading.Thread(target=body, daemon=True).start()
    return ending
