"""How close asking is to the physical limit: span ÷ floor of the live transport, raw aiohttp beside it in the same run.

A local server answers every call after a fixed latency. Floor = n × latency ÷ concurrency. Span = last answer minus
first request, seen by the server. CPU is user + system time of the asking process, per 1,000 calls.

    python -m benchmarks.asking [--json OUT] [--calls 3000]
"""

import argparse
import asyncio
import json
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from builder.journal.store import Journal
from builder.providers.openai_sdk import OpenAIProvider
from builder.transports.live import LiveTransport
from builder.transports.protocol import Ask
from schemas.chat import ChatRequest, Completion, Message
from schemas.key import key_of

SETTINGS = ((1.0, 200, 1.05), (0.2, 50, 1.08), (0.2, 200, 1.35))
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


class Silent:
    """A watcher that looks away."""

    def begin(self, stage: str, model: str, planned: int, already: int) -> None: ...
    def answered(self, stage: str, completion: Completion, model: str) -> None: ...
    def failed(self, stage: str, model: str, kind: str) -> None: ...
    def end(self) -> None: ...


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


def requests(count: int) -> list[Ask]:
    """So many different requests."""
    made = [ChatRequest("openai-compatible/m", (Message("user", f"{n} " + "word " * 50),)) for n in range(count)]
    return [Ask("respond", key_of(request), request) for request in made]


def ours(url: str, asks: list[Ask], concurrency: int) -> None:
    """The live transport with the real SDK and a durable journal."""
    with tempfile.TemporaryDirectory() as scratch, Journal(Path(scratch) / "j.sqlite") as journal:
        provider = OpenAIProvider("k", f"{url}/v1", 60, concurrency)
        LiveTransport(journal, lambda _name: provider, Silent(), lambda _model: concurrency).ask(asks)


def raw(url: str, asks: list[Ask], concurrency: int) -> None:
    """aiohttp alone: no SDK, no journal."""

    async def run() -> None:
        queue = iter(asks)
        connector = aiohttp.TCPConnector(limit=concurrency)
        async with aiohttp.ClientSession(connector=connector) as session:

            async def work() -> None:
                for ask in queue:
                    body = {"model": "m", "messages": [{"role": "user", "content": ask.request.messages[0].content}]}
                    async with session.post(f"{url}/v1/chat/completions", json=body) as answer:
                        await answer.json()

            await asyncio.gather(*(work() for _ in range(concurrency)))

    asyncio.run(run())


def measured(
    client: Callable[[list[Ask], int], None], calls: int, concurrency: int, pipe: Connection
) -> dict[str, Any]:
    """Span, CPU and memory of one client."""
    client(requests(concurrency), concurrency)
    pipe.send("span")
    pipe.recv()
    asks = requests(calls)
    before = resource.getrusage(resource.RUSAGE_SELF)
    client(asks, concurrency)
    after = resource.getrusage(resource.RUSAGE_SELF)
    pipe.send("span")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    scale = 1 if sys.platform == "darwin" else 1024
    return {
        "span_s": pipe.recv(),
        "cpu_s_per_1000": cpu / calls * 1000,
        "peak_rss_mb": after.ru_maxrss * scale / 2**20,
    }


def _child(name: str, url: str, calls: int, concurrency: int, server: Connection, out: Connection) -> None:
    client = partial({"ours": ours, "raw aiohttp": raw}[name], url)
    out.send(measured(client, calls, concurrency, server))


def bench(latency_s: float, concurrency: int, calls: int) -> dict[str, dict[str, Any]]:
    """Both clients against one server, each in a process of its own, one after the other."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    server = context.Process(target=serve, args=(latency_s, there), daemon=True)
    server.start()
    url = here.recv()
    found = {}
    for name in ("ours", "raw aiohttp"):
        ear, mouth = context.Pipe()
        child = context.Process(target=_child, args=(name, url, calls, concurrency, here, mouth))
        child.start()
        result = ear.recv()
        child.join()
        result["span_over_floor"] = result["span_s"] / (calls * latency_s / concurrency)
        found[name] = result
    here.send("stop")
    server.join(5)
    return found


def main() -> int:
    """Run and print; returns 0."""
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--json", type=Path)
    flags.add_argument("--calls", type=int, default=3000)
    given = flags.parse_args()
    rows = []
    sys.stdout.write(
        f"{'latency × concurrency':<24}{'client':<14}{'span÷floor':>11}{'aim':>6}{'CPU s/1000':>12}{'MB':>7}\n"
    )
    for latency_s, concurrency, aim in SETTINGS:
        for name, result in bench(latency_s, concurrency, given.calls).items():
            setting = f"{latency_s * 1000:.0f} ms × {concurrency}"
            rows.append({"setting": setting, "client": name, "calls": given.calls, **result})
            sys.stdout.write(
                f"{setting:<24}{name:<14}{result['span_over_floor']:>11.3f}{aim if name == 'ours' else '':>6}"
                f"{result['cpu_s_per_1000']:>12.2f}{result['peak_rss_mb']:>7.0f}\n"
            )
            sys.stdout.flush()
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
