"""A local server that writes bytes as it is told: half bodies, slow drips, nonsense instead of HTTP."""

import asyncio
import json
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Wire:
    """What goes over the wire: pieces, each after a pause; then the connection is cut."""

    pieces: tuple[bytes, ...]
    pause_s: float = 0.0


Script = Callable[[str, dict[str, Any]], Wire]


@dataclass(slots=True)
class WireServer:
    """The running server: its address, and the bodies it was sent."""

    script: Script
    bodies: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One call on one connection."""
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = int(head.partition("content-length:")[2].partition("\r\n")[0])
            body = json.loads(await reader.readexactly(length))
            self.bodies.append(body)
            wire = self.script("anthropic" if "/messages " in head else "openai", body)
            for piece in wire.pieces:
                await asyncio.sleep(wire.pause_s)
                writer.write(piece)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()


def http(
    body: bytes, status: int = 200, kind: str = "application/json", length: int | None = None, extra: str = ""
) -> bytes:
    """An HTTP answer as bytes; `length` is what it claims to be long."""
    claimed = len(body) if length is None else length
    head = (
        f"HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {claimed}\r\nconnection: close\r\n{extra}\r\n"
    )
    return head.encode("latin-1") + body


@contextmanager
def wire_server(script: Script) -> Iterator[WireServer]:
    """Serve on a free loopback port, in a thread of its own, while the block runs."""
    server = WireServer(script)
    ready, loop = threading.Event(), asyncio.new_event_loop()

    async def serve() -> asyncio.Server:
        listening = await asyncio.start_server(server.answer, "127.0.0.1", 0)
        server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        ready.set()
        return listening

    thread = threading.Thread(target=_run, args=(loop, serve), daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)


def _run(loop: asyncio.AbstractEventLoop, serve: Callable[[], Coroutine[Any, Any, asyncio.Server]]) -> None:
    asyncio.set_event_loop(loop)
    listening = loop.run_until_complete(serve())
    loop.run_forever()
    listening.close()
    for task in asyncio.all_tasks(loop):
        task.cancel()
    loop.run_until_complete(asyncio.sleep(0.01))
    loop.close()
