"""One stage's requests in the hands of workers: who has which, what they brought, and what is to be asked once more."""

import asyncio
import hmac
import os
import signal
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib.metadata import version

from builder.transports.daft.crew import FrameError
from builder.transports.daft.line import Line, Message
from builder.transports.daft.remote import Batch, Elsewhere, RemoteProvider, WorkerLostError
from builder.transports.lane import Lane
from builder.transports.protocol import Ask

VERSION = version("refusal-foresight")


@dataclass(slots=True)
class Shift:
    """`missing` is what nobody has, `settled` the keys that ended with an answer or a failure.

    `lanes` hold each model's gate and breaker; `serve` works a lane off and returns what its hands ended with. `lost`
    counts workers that went before their batch was over, `workers` are the processes that came, `fault` is what must
    stop the run. A worker may take `patience_s` for one answer. `here` says that workers are of this machine: one that
    is lost ends the round for all.
    """

    lanes: Mapping[str, Lane]
    missing: dict[str, Ask]
    settled: set[str]
    serve: Callable[[Lane], Awaitable[list[BaseException | None]]]
    token: str
    patience_s: float
    here: bool
    lost: int = 0
    closing: bool = False
    fault: BaseException | None = None
    workers: set[int] = field(default_factory=set)
    batches: dict[Batch, asyncio.Task[None]] = field(default_factory=dict)

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve whoever calls: a worker with a batch, which must know the token."""
        line = Line(reader, writer)
        hello = await line.receive()
        if hello is not None and hmac.compare_digest(str(hello.get("token")).encode(), self.token.encode()):
            batch = Batch(line, self.patience_s)
            self.batches[batch] = task = asyncio.create_task(self._attend(batch, hello))
            await asyncio.wait([task])
            del self.batches[batch]
            if task.exception() is not None:
                self.fault = self.fault or task.exception()
                self._close()
        await line.close()

    async def all_over(self) -> None:
        """Return when no worker has a batch any more."""
        while self.batches:
            await asyncio.wait(self.batches.values())
            await asyncio.sleep(0)

    async def _attend(self, batch: Batch, hello: Message) -> None:
        if (wrong := _wrong(hello)) is not None:
            raise FrameError(wrong)
        self.workers.add(hello["pid"])
        asks = [self.missing.pop(key) for key in hello["keys"] if key in self.missing and not self.closing]
        listener = asyncio.create_task(batch.listen())
        ended = await asyncio.gather(*(self.serve(lane) for lane in self._lanes_of(batch, asks)))
        self.missing.update({ask.key: ask for ask in asks if ask.key not in self.settled})
        self.lost += batch.gone
        errors = [error for errors in ended for error in errors if error is not None]
        faults = [error for error in errors if not isinstance(error, WorkerLostError)]
        if batch.gone and self.here:
            self._close()
            if batch.hung:
                _kill(hello["pid"])
        if not batch.gone:
            with suppress(OSError):
                await batch.line.send({"do": "over"})
        listener.cancel()
        if faults:
            raise faults[0]

    def _lanes_of(self, batch: Batch, asks: list[Ask]) -> list[Lane]:
        queues: dict[str, deque[Ask]] = {}
        for ask in asks:
            queues.setdefault(ask.request.model, deque()).append(ask)
        return [self._lane_of(batch, self.lanes[model], queue) for model, queue in queues.items()]

    def _lane_of(self, batch: Batch, lane: Lane, queue: deque[Ask]) -> Lane:
        here = None if isinstance(lane.provider, Elsewhere) else lane.provider
        return replace(lane, provider=RemoteProvider(batch, here), queue=queue, workers=min(lane.workers, len(queue)))

    def _close(self) -> None:
        self.closing = True
        for batch in self.batches:
            batch.closed = True


def _kill(pid: int) -> None:
    # Daft waits for a process that hangs for as long as it lives.
    with suppress(OSError):
        os.kill(pid, signal.SIGKILL)


def _wrong(hello: Message) -> str | None:
    if hello["version"] != VERSION:
        return f"a worker has version {hello['version']} of this project, want {VERSION}, as here: install it there"
    if not hello["sees_store"]:
        return f"a worker on {hello['host']} does not see this run's store: give a --store that all machines reach"
    return None
