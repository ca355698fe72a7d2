"""The server that benchmarks/asking.py asks: every call is answered after a fixed latency."""

import asyncio
import json
import time
from multiprocessing.connection import Connection

from aiohttp import web

BODY = json.dumps(
    {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "word " * 200}}],
        "usage": {"prompt_tokens": 50, "completion_tokens": 200, "total_tokens": 250},
    }
).encode()


def serve(latency_s: float, pipe: Connection) -> None:
    """Answer every call after `latency_s`; send the address, and on demand the span of the calls so far."""
    first, last = [0.0], [0.0]

    async def answer(request: web.Request) -> web.Response:
        first[0] = first[0] or time.monotonic()
        await request.read()
        await asyncio.sleep(latency_s)
        last[0] = time.monotonic()
        return web.Response(body=BODY, content_type="application/json")

    async def run() -> None:
        application = web.Application()
        application.router.add_post("/{tail:.*}", answer)
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0, backlog=2048).start()
        pipe.send(f"http://127.0.0.1:{runner.addresses[0][1]}")
        while True:
            await asyncio.sleep(0.02)
            if pipe.poll():
                if pipe.recv() == "stop":
                    return
                pipe.send(last[0] - first[0])
                first[0] = last[0] = 0.0

    asyncio.run(run())
