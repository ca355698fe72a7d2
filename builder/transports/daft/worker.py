"""What a worker does with a batch of requests: ask the providers as told, and put every attempt into the store."""

import asyncio
import os
import traceback
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib.metadata import version
from socket import gethostname

from builder.journal.scrub import scrubbed
from builder.journal.store import Entry
from builder.providers.clock import now_text
from builder.providers.connect import check_access, connect
from builder.providers.protocol import CallError, Provider
from builder.providers.secrets import known_secrets
from builder.providers.words import well_formed
from builder.transports.daft.line import Line, Message, Post, allowance_message, dial, result_message, result_of
from builder.transports.daft.parts import PartWriter
from builder.transports.daft.rows import new_attempt, row_of
from builder.transports.daft.store import AttemptStore, StoreError
from builder.transports.protocol import Ask
from schemas.chat import Completion, FailedAttempt
from schemas.config import BuildConfig, ConfigError

VERSION = version("refusal-foresight")


@dataclass(slots=True)
class Desk:
    """A worker's place while it has a batch: the requests, the providers for them, and where attempts are put."""

    asks: Mapping[str, Ask]
    line: Line
    parts: PartWriter
    providers: Mapping[str, Provider | CallError]

    async def do(self, order: Message) -> None:
        """Carry out one order and send back what came of it; a fault is sent back in words."""
        try:
            told = await self._done(self.asks[order["key"]], order)
        except StoreError as error:
            told = {"trouble": str(error)}
        except Exception:  # noqa: BLE001 - the border between two processes: the run raises it again
            told = {"fault": f"a worker failed:\n{traceback.format_exc()}"}
        await self.line.send(told | {"key": order["key"]})

    async def _done(self, ask: Ask, order: Message) -> Message:
        provider = self.providers.get(ask.request.model)
        allowance = None
        if order["do"] == "keep":
            result = result_of(order)
        elif isinstance(provider, CallError) or provider is None:
            result = provider or CallError("rejected", f"no provider for {ask.request.model}")
        else:
            try:
                result = await provider.complete(ask.request, ask.key)
            except CallError as error:
                result = error
            allowance = provider.allowance
        recorded = scrubbed(_fact(ask.key, result), known_secrets())
        await self.parts.record(row_of(Entry(ask.stage, ask.request, recorded), new_attempt()))
        told = recorded if isinstance(recorded, Completion) else result
        return result_message(told) | allowance_message(allowance)


async def work(asks: Mapping[str, Ask], post: Post, place: str, sign: str, config: BuildConfig) -> None:
    """Ask these requests as the run says, until it ends the line or is gone; what is in flight then is recorded.

    The run is told if the store that is seen from here is not its own, which holds the file `sign`.
    """
    try:
        line = await dial(post)
    except OSError:
        return
    store = AttemptStore(place)
    hello = {"token": post.token, "version": VERSION, "keys": list(asks), "host": gethostname(), "pid": os.getpid()}
    try:
        async with AsyncExitStack() as stack:
            models = dict.fromkeys(ask.request.model for ask in asks.values())
            providers = {model: await _provider(model, config, stack) for model in models if not _here(model)}
            parts = await stack.enter_async_context(PartWriter(store))
            await line.send(hello | {"sees_store": store.holds(sign)})
            await _serve(Desk(asks, line, parts, providers))
    finally:
        await line.close()


async def _serve(desk: Desk) -> None:
    tasks: dict[str, asyncio.Task[None]] = {}
    while (order := await desk.line.receive()) is not None:
        if order["do"] == "over":
            break
        if order["do"] == "cut":
            tasks[order["key"]].cancel()
        else:
            tasks[order["key"]] = asyncio.create_task(desk.do(order))
    await asyncio.gather(*tasks.values(), return_exceptions=True)


async def _provider(model: str, config: BuildConfig, stack: AsyncExitStack) -> Provider | CallError:
    try:
        check_access((model,), config)
    except ConfigError as error:
        return CallError("auth", f"on a worker: {error}")
    provider = connect(model, config, lambda _words: None)
    stack.push_async_callback(provider.close)
    return provider


def _here(model: str) -> bool:
    return model.startswith("local/")


def _fact(key: str, result: Completion | CallError) -> Completion | FailedAttempt:
    if isinstance(result, CallError):
        return FailedAttempt(key, result.kind, well_formed(result.message), result.status, now_text())
    return result
