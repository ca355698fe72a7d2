"""A local server that speaks OpenAI's two protocols and Anthropic's, and follows a script, faults included."""

import asyncio
import contextlib
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server sends: a status, a body (JSON value, or bytes as they are), headers; or a dropped connection.

    With `trickle_s` the body goes out in bytes, one each so many seconds.
    """

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    drop: bool = False
    delay_s: float = 0.0
    trickle_s: float | None = None


Script = Callable[[str, dict[str, Any], int], Reply]


class ChatServer:
    """The running server: its address, what it was asked, and the script it follows."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.calls: Counter[str] = Counter()
        self.in_flight = 0
        self.most_in_flight = 0
        self.url = ""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """One call."""
        protocol = {"messages": "anthropic", "responses": "responses"}.get(request.path.rpartition("/")[2], "openai")
        body = await request.json()
        name = json.dumps(body, sort_keys=True)
        self.calls[name] += 1
        self.bodies.append(body)
        self.headers.append(dict(request.headers))
        self.paths.append(request.path)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            reply = self.script(protocol, body, self.calls[name])
            await asyncio.sleep(reply.delay_s)
        finally:
            self.in_flight -= 1
        if reply.drop and request.transport is not None:
            request.transport.close()
        content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        headers = {"content-type": "application/json", **reply.headers}
        if reply.trickle_s is not None:
            return await _trickled(request, content, headers, reply.trickle_s)
        return web.Response(status=reply.status, body=content, headers=headers)


async def _trickled(
    request: web.Request, content: bytes, headers: dict[str, str], pause_s: float
) -> web.StreamResponse:
    response = web.StreamResponse(headers=headers)
    response.content_length = len(content)
    await response.prepare(request)
    with contextlib.suppress(ConnectionError):
        for place in range(len(content)):
            await response.write(content[place : place + 1])
            await asyncio.sleep(pause_s)
    return response


@contextmanager
def chat_server(script: Script, server: ChatServer | None = None) -> Iterator[ChatServer]:
    """Serve on a free loopback port, in a thread of its own, while the block runs."""
    server = ChatServer(script) if server is None else server
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    runner: list[web.AppRunner] = []

    async def start() -> None:
        application = web.Application(client_max_size=2**26)
        application.router.add_post("/{tail:.*}", server.answer)
        runner.append(web.AppRunner(application, shutdown_timeout=0.1))
        await runner[0].setup()
        site = web.TCPSite(runner[0], "127.0.0.1", 0)
        await site.start()
        server.url = f"http://127.0.0.1:{runner[0].addresses[0][1]}"
        ready.set()

    def serve() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(start())
        loop.run_forever()
        loop.run_until_complete(runner[0].cleanup())
        loop.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)


def openai_reply(text: str | None, finish: str = "stop", **message: Any) -> Reply:
    """A well-formed chat completion."""
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
    usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    return Reply(
        {"id": "c1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}
    )


def anthropic_reply(text: str | None, stop: str = "end_turn", blocks: list[dict[str, Any]] | None = None) -> Reply:
    """A well-formed message."""
    content = blocks if blocks is not None else [] if text is None else [{"type": "text", "text": text}]
    return Reply(
        {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "model": "m",
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {"input_tokens": 7, "output_tokens": 3},
        }
    )


def responses_reply(text: str | None, reason: str | None = None, items: list[dict[str, Any]] | None = None) -> Reply:
    """A well-formed response; with a `reason` it is incomplete."""
    part: dict[str, Any] = {"type": "output_text", "text": text, "annotations": []}
    message = {"type": "message", "id": "i", "role": "assistant", "status": "completed", "content": [part]}
    usage = {
        "input_tokens": 7,
        "input_tokens_details": {"cached_tokens": 2},
        "output_tokens": 3,
        "output_tokens_details": {"reasoning_tokens": 1},
        "total_tokens": 10,
    }
    return Reply(
        {
            "id": "r1",
            "object": "response",
            "created_at": 0,
            "model": "m",
            "status": "completed" if reason is None else "incomplete",
            "incomplete_details": None if reason is None else {"reason": reason},
            "error": None,
            "output": items if items is not None else [] if text is None else [message],
            "usage": usage,
        }
    )


def text_reply(protocol: str, text: str) -> Reply:
    """The text as an answer in the protocol that was spoken."""
    replies = {"anthropic": anthropic_reply, "responses": responses_reply}
    return replies[protocol](text) if protocol in replies else openai_reply(text)
