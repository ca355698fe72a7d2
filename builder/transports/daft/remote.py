"""The providers as the run sees them: each call is made by the worker that was given the request."""

import asyncio
from dataclasses import dataclass, field

from builder.providers.allowance import Allowance
from builder.providers.protocol import CallError, Provider
from builder.transports.daft.crew import FrameError
from builder.transports.daft.line import Line, Message, result_message, result_of, told_allowance
from schemas.chat import ChatRequest, Completion


class WorkerLostError(Exception):
    """The worker that had the request is gone, or is not to be asked any more."""


class WorkerFaultError(Exception):
    """A bug that showed in a worker; holds its traceback."""


@dataclass(slots=True, eq=False)
class Batch:
    """The requests one worker has now, and the answers it owes; once `closed`, it is asked no more.

    One that owes an answer for longer than `patience_s` has `hung`, and is as good as gone.
    """

    line: Line
    patience_s: float
    owed: dict[str, asyncio.Future[Message]] = field(default_factory=dict)
    closed: bool = False
    gone: bool = False
    hung: bool = False

    async def listen(self) -> None:
        """Take in what the worker sends, until it is gone."""
        while (message := await self.line.receive()) is not None:
            if (answer := self.owed.pop(message["key"], None)) is not None and not answer.done():
                answer.set_result(message)
        self.closed = self.gone = True
        for answer in self.owed.values():
            if not answer.done():
                answer.set_exception(WorkerLostError())

    async def order(self, key: str, message: Message) -> Message:
        """What the worker sends back for this.

        Raises WorkerLostError, FrameError if the store cannot be written, or WorkerFaultError for a bug.
        """
        if self.closed:
            raise WorkerLostError
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self.owed[key] = answer
        try:
            async with asyncio.timeout(self.patience_s):
                await self.line.send(message | {"key": key})
                told = await answer
        except TimeoutError:
            self.hung = self.closed = True
            self.line.drop()
            raise WorkerLostError from None
        except OSError:
            raise WorkerLostError from None
        except asyncio.CancelledError:
            self.owed.pop(key, None)
            if not self.gone:
                await self.line.send({"do": "cut", "key": key})
            raise
        if "trouble" in told:
            raise FrameError(told["trouble"])
        if "fault" in told:
            raise WorkerFaultError(told["fault"])
        return told


class RemoteProvider:
    """One model, asked by a worker; or, where the model runs `here` with the run, asked here and recorded there."""

    def __init__(self, batch: Batch, here: Provider | None) -> None:
        self._batch = batch
        self._here = here
        self.allowance: Allowance | None = None

    async def complete(self, request: ChatRequest, key: str) -> Completion:
        """The completion, once it is in the store. Raises CallError if there is none, WorkerLostError, or a fault."""
        order: Message = {"do": "call"}
        if self._here is not None:
            order = {"do": "keep"} | result_message(await _result(self._here, request, key))
        told = await self._batch.order(key, order)
        self.allowance = told_allowance(told)
        result = result_of(told)
        if isinstance(result, CallError):
            raise result
        return result

    async def close(self) -> None:
        """Nothing to give back: the worker closes its own connections."""


class Elsewhere:
    """Stands for a provider that only workers have."""

    allowance: Allowance | None = None

    async def complete(self, request: ChatRequest, key: str) -> Completion:
        """Raises WorkerLostError: there is no worker to ask."""
        raise WorkerLostError(f"{request.model} is asked by workers, {key} by none")

    async def close(self) -> None:
        """Nothing to give back."""


async def _result(provider: Provider, request: ChatRequest, key: str) -> Completion | CallError:
    try:
        return await provider.complete(request, key)
    except CallError as error:
        return error
