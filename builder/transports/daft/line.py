"""Messages between the run and a worker: JSON, one a line, over TCP.

A worker opens a line for each batch of requests it was given and says which (`keys`). The run answers with what to do,
one message a request: `call` (ask the provider), `keep` (record this answer), `cut` (give the call up); the worker does
it, puts the attempt into the store and sends it back. The run ends the line when the batch is over.
"""

import asyncio
import json
from dataclasses import dataclass
from typing import Any

from builder.providers.allowance import Allowance, Window
from builder.providers.protocol import CallError
from schemas.chat import Completion
from schemas.wire import dump_completion, load_completion

LONGEST = 2**26
Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Post:
    """Where the run listens, and the word that lets a worker in: made for one run, worth nothing after it."""

    host: str
    port: int
    token: str


class Line:
    """One end of a connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, message: Message) -> None:
        """Send a message. Raises OSError if the other end is known to be gone."""
        self._writer.write(f"{json.dumps(message)}\n".encode())
        await self._writer.drain()

    async def receive(self) -> Message | None:
        """The next message, or None if there will be none."""
        try:
            text = await self._reader.readline()
            message = json.loads(text)
        except (OSError, ValueError):
            return None
        return message if isinstance(message, dict) else None

    def drop(self) -> None:
        """Hang up at once: what was sent last may never arrive."""
        self._writer.transport.abort()

    async def close(self) -> None:
        """Hang up."""
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except OSError:
            return


async def dial(post: Post) -> Line:
    """A line to the run. Raises OSError if nobody is there."""
    return Line(*await asyncio.open_connection(post.host, post.port, limit=LONGEST))


def result_message(result: Completion | CallError) -> Message:
    """What a call ended in, as a part of a message."""
    if isinstance(result, Completion):
        return {"completion": dump_completion(result)}
    values = {"status": result.status, "retry_after_s": result.retry_after_s, "sent": result.sent}
    return {"error": {"kind": result.kind, "message": result.message} | values}


def result_of(message: Message) -> Completion | CallError:
    """What a call ended in, from a message."""
    if "completion" in message:
        return load_completion(message["completion"])
    return CallError(**message["error"])


def allowance_message(allowance: Allowance | None) -> Message:
    """What a server said of its limits, as a part of a message."""
    return {"allowance": None if allowance is None else [allowance.requests, allowance.tokens]}


def told_allowance(message: Message) -> Allowance | None:
    """What a server said of its limits, from a message."""
    told = message.get("allowance")
    return None if told is None else Allowance(*(None if window is None else Window(*window) for window in told))
