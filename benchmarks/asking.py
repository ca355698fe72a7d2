"""How close asking is to the physical limit: span ÷ floor of the live transport, raw aiohttp and peers beside it.

A local server answers every call after a fixed latency. Floor = n × latency ÷ concurrency. Span = last answer minus
first request, seen by the server. CPU is user + system time of the asking process, per 1,000 calls, start-up removed.
With --peers, curator, distilabel and Inspect AI are installed once, each in an environment of its own in that
directory, and asked to make the same calls of the same server in the same run. --long makes so many calls more, to see
whether memory stays flat.

    python -m benchmarks.asking [--json OUT] [--calls 3000] [--peers DIR] [--long 100000]
"""

import argparse
import asyncio
import json
import multiprocessing
import resource
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import aiohttp

from benchmarks.peers.install import PEERS, Peer, PeerError, run_peer
from builder.journal.store import Journal
from builder.providers.openai_sdk import OpenAIProvider
from builder.transports.live import LiveTransport
from builder.transports.protocol import Ask
from schemas.chat import ChatRequest, Completion, Message
from schemas.key import key_of

SETTINGS = ((1.0, 200, 1.05), (0.2, 50, 1.08), (0.2, 200, 1.35))
LONG = (0.05, 200, None)
Run = tuple[float, int, float | None, int, Path | None]
SPAWN = multiprocessing.get_context("spawn")
Result = dict[str, Any]


class Meter:
    """A watcher that looks at the memory when a fifth of the calls is answered."""

    def __init__(self, calls: int) -> None:
        self.early_mb = 0.0
        self._left = calls // 5

    def begin(self, stage: str, model: str, planned: int, already: int) -> None: ...

    def answered(self, stage: str, completion: Completion, model: str) -> None:  # noqa: ARG002 - what a watcher is told
        """One more is on record."""
        self._left -= 1
        if self._left == 0:
            self.early_mb = peak_mb()

    def failed(self, stage: str, model: str, kind: str) -> None: ...
    def waiting(self, model: str, wait_s: float) -> None: ...
    def under_way(self, model: str, requests: int, batches: int) -> None: ...
    def given_up(self, model: str, why: str) -> None: ...
    def end(self) -> None: ...


def peak_mb(who: int = resource.RUSAGE_SELF) -> float:
    """The most memory a process (or the largest of its children) has held, in MB."""
    return resource.getrusage(who).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 2**20


def cpu_s(who: int = resource.RUSAGE_SELF) -> float:
    """User and system time so far."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def requests(count: int) -> list[Ask]:
    """So many different requests."""
    made = [ChatRequest("openai-compatible/m", (Message("user", f"{n} " + "word " * 50),)) for n in range(count)]
    return [Ask("respond", key_of(request), request) for request in made]


def ours(url: str, asks: list[Ask], concurrency: int) -> float:
    """The live transport with the real SDK and a durable journal; returns the memory after a fifth of the calls."""
    meter = Meter(len(asks))
    with tempfile.TemporaryDirectory() as scratch, Journal(Path(scratch) / "j.sqlite") as journal:
        provider = OpenAIProvider("k", f"{url}/v1", 60, concurrency)
        LiveTransport(journal, lambda _name: provider, meter, lambda _model: concurrency).ask(asks)
    return meter.early_mb


def raw(url: str, asks: list[Ask], concurrency: int) -> float:
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
    return peak_mb()


def measured(client: Callable[[list[Ask], int], float], calls: int, concurrency: int, server: Connection) -> Result:
    """Span, CPU and memory of one client in this process."""
    client(requests(concurrency), concurrency)
    span_of(server)
    asks = requests(calls)
    before = cpu_s()
    early_mb = client(asks, concurrency)
    cpu = cpu_s() - before
    return {
        "span_s": span_of(server),
        "cpu_s_per_1000": cpu / calls * 1000,
        "mb_after_a_fifth": early_mb,
        "peak_rss_mb": peak_mb(),
    }


def span_of(server: Connection) -> float:
    """Seconds from the first request to the last answer since the server was last asked."""
    server.send("span")
    span: float = server.recv()
    return span


def _child(name: str, url: str, calls: int, concurrency: int, server: Connection, out: Connection) -> None:
    client = partial({"ours": ours, "raw aiohttp": raw}[name], url)
    out.send(measured(client, calls, concurrency, server))


def in_child(name: str, url: str, calls: int, concurrency: int, server: Connection) -> Result:
    """One of our two clients, measured in a process of its own."""
    ear, mouth = SPAWN.Pipe()
    child = SPAWN.Process(target=_child, args=(name, url, calls, concurrency, server, mouth))
    child.start()
    result: Result = ear.recv()
    child.join()
    return result


def peer_measured(peer: Peer, work: Path, url: str, calls: int, concurrency: int, server: Connection) -> Result:
    """A peer's span, CPU and memory; a short run before tells what its start costs. Raises PeerError."""
    spent = []
    for count in (concurrency, calls + concurrency):
        with tempfile.TemporaryDirectory() as scratch:
            before = cpu_s(resource.RUSAGE_CHILDREN)
            run_peer(peer, work, url, count, concurrency, Path(scratch))
            spent.append(cpu_s(resource.RUSAGE_CHILDREN) - before)
            span = span_of(server)
    return {
        "span_s": span * calls / (calls + concurrency),
        "cpu_s_per_1000": (spent[1] - spent[0]) / calls * 1000,
        "peak_rss_mb": peak_mb(resource.RUSAGE_CHILDREN),
    }


def _peer_child(
    peer: Peer, work: Path, url: str, calls: int, concurrency: int, server: Connection, out: Connection
) -> None:
    try:
        out.send(peer_measured(peer, work, url, calls, concurrency, server))
    except PeerError as error:
        out.send({"skipped": str(error)})


def peer_in_child(peer: Peer, work: Path, url: str, calls: int, concurrency: int, server: Connection) -> Result:
    """The same from a process that has no other children, or why the peer was skipped."""
    ear, mouth = SPAWN.Pipe()
    child = SPAWN.Process(target=_peer_child, args=(peer, work, url, calls, concurrency, server, mouth))
    child.start()
    result: Result = ear.recv()
    child.join()
    return result


def bench(latency_s: float, concurrency: int, calls: int, peers: Path | None) -> Iterator[tuple[str, Result]]:
    """Every client against one server, one after the other."""
    from benchmarks.answering import serve  # not at the top: a client's process is to hold what a client needs

    here, there = SPAWN.Pipe()
    server = SPAWN.Process(target=serve, args=(latency_s, there), daemon=True)
    server.start()
    url = here.recv()
    for name in ("ours", "raw aiohttp"):
        yield name, in_child(name, url, calls, concurrency, here)
    for peer in PEERS if peers is not None else ():
        yield peer.name, peer_in_child(peer, peers.absolute(), url, calls, concurrency, here) if peers else {}
    here.send("stop")
    server.join(5)


def line(setting: str, name: str, aim: float | None, result: Result) -> str:
    """One client's figures as a line of the table."""
    head = f"{setting:<24}{name:<14}"
    if "skipped" in result:
        return f"{head}skipped: {result['skipped']}\n"
    told = f"{result['span_over_floor']:>11.3f}{'' if aim is None else aim:>6}{result['cpu_s_per_1000']:>12.2f}"
    return f"{head}{told}{result['peak_rss_mb']:>7.0f}\n"


def main() -> int:
    """Run and print; returns 0."""
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--json", type=Path)
    flags.add_argument("--calls", type=int, default=3000)
    flags.add_argument("--peers", type=Path, metavar="DIR", help="measure the peers too, installed in this directory")
    flags.add_argument("--long", type=int, default=0, metavar="N", help="also make N calls, at 50 ms × 200")
    given = flags.parse_args()
    rows = []
    sys.stdout.write(
        f"{'latency × concurrency':<24}{'client':<14}{'span÷floor':>11}{'aim':>6}{'CPU s/1000':>12}{'MB':>7}\n"
    )
    runs: list[Run] = [(*setting, given.calls, given.peers) for setting in SETTINGS]
    runs += [(*LONG, given.long, None)] if given.long else []
    for latency_s, concurrency, aim, calls, peers in runs:
        for name, result in bench(latency_s, concurrency, calls, peers):
            setting = f"{latency_s * 1000:.0f} ms × {concurrency}" + (f", {calls:,}" if calls != given.calls else "")
            if "span_s" in result:
                result["span_over_floor"] = result["span_s"] / (calls * latency_s / concurrency)
            rows.append({"setting": setting, "client": name, "calls": calls, **result})
            sys.stdout.write(line(setting, name, aim if name == "ours" else None, result))
            sys.stdout.flush()
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
