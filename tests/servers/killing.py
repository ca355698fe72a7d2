"""Builds that are killed at random moments and resumed, and what must hold of them."""

import json
import multiprocessing
import os
import random
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from builder.journal.store import Journal
from builder.providers.anthropic_wire import to_anthropic
from builder.providers.openai_wire import to_openai
from schemas.wire import load_request
from tests.servers.batch_server import BatchServer, batch_server
from tests.servers.chat_server import ChatServer, Reply, chat_server
from tests.servers.models import well_behaved

IN_FLIGHT = 3
KEYS = {"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}
CELLS = ("--topics", "weapons", "--levels", "1,5", "--per-cell", "1")
PRELOADED = ["builder.cli", "analysis", "matplotlib.figure", "openai", "anthropic", "builder.providers.openai_sdk"]
FROM_A_WARM_START = multiprocessing.get_context("forkserver")
FROM_A_WARM_START.set_forkserver_preload(PRELOADED)


def run_build(arguments: list[str]) -> None:
    """The build in this process, silent; the exit status is the command's."""
    from builder import cli

    os.environ.update(KEYS)
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    raise SystemExit(cli.main(arguments))


@dataclass(slots=True)
class Trigger:
    """Kills a process some time after the n-th call, or after the release is begun, or after the start."""

    moment: str
    after_s: float
    at_call: int = 0
    calls: int = 0
    due: float | None = None

    def called(self) -> None:
        """A call arrived at the server."""
        self.calls += 1
        if self.moment == "asking" and self.calls >= self.at_call and self.due is None:
            self.due = time.monotonic() + self.after_s

    def watch(self, process: BaseProcess, run: Path) -> bool:
        """Wait for the moment and kill; returns False if the process ended before it came."""
        if self.moment == "start":
            self.due = time.monotonic() + self.after_s
        while process.is_alive():
            if self.moment == "release" and self.due is None and list(run.glob(".re*")):
                self.due = time.monotonic() + self.after_s
            if self.due is not None and time.monotonic() >= self.due:
                process.kill()
            time.sleep(0.0005)
        process.join()
        return process.exitcode == -9


@dataclass(slots=True)
class Scene:
    """One way of asking; `asked` counts the calls its server had, `expected` are the digests of a run left alone."""

    name: str
    flags: tuple[str, ...]
    asked: Callable[[], Counter[str]]
    in_flight: int
    trigger: Trigger = field(default_factory=lambda: Trigger("none", 0))
    expected: dict[str, str] = field(default_factory=dict)
    total_calls: int = 0
    release_s: float = 1.0

    def start(self, run: Path) -> BaseProcess:
        """The build on `run`, as a process of its own."""
        process = FROM_A_WARM_START.Process(target=run_build, args=(["--run", str(run), *CELLS, *self.flags],))
        process.start()
        return process

    def finish(self, run: Path) -> int | None:
        """The status of an undisturbed build on `run`."""
        self.trigger = Trigger("none", 0)
        process = self.start(run)
        process.join(120)
        return process.exitcode

    def draw(self, rng: random.Random, left: int) -> Trigger:
        """A moment: at the start, at one of the calls left, or while the release is made."""
        moment = rng.choices(["start", "asking", "release"], [1, 6 if left else 0, 3])[0]
        longest = {"start": 0.3, "asking": 0.03, "release": self.release_s}[moment]
        return Trigger(moment, rng.uniform(0, longest), rng.randint(1, max(1, left)))


@contextmanager
def live_scene(rng: random.Random) -> Iterator[Scene]:
    """Live calls over both protocols, each answered after up to 10 ms."""
    scene = Scene("live", (), Counter, 3 * IN_FLIGHT)

    def script(protocol: str, body: dict[str, Any], call: int) -> Reply:
        scene.trigger.called()
        return replace(well_behaved(protocol, body, call), delay_s=rng.uniform(0, 0.01))

    with chat_server(script) as server:
        scene.asked = lambda: Counter(server.calls)
        scene.flags = (*_models("openai-compatible"), *_addresses("openai-compatible", server))
        yield scene


@contextmanager
def batch_scene(folder: Path) -> Iterator[Scene]:
    """Batches of both providers; two targets of one provider submit as many requests at the same time."""
    settings = folder / "batch.toml"
    settings.write_text("batch_poll_s = 0.01\n")
    with batch_server(lambda kind, body: well_behaved(kind, body, 1)) as server:
        flags = ("--transport", "batch", "--config", str(settings), *_models("openai"), *_addresses("openai", server))
        scene = Scene("batch", flags, lambda: Counter(server.asked), 0)
        server.on_request = lambda: scene.trigger.called()
        yield scene


def _models(provider: str) -> tuple[str, ...]:
    targets = f"{provider}/s,anthropic/t,anthropic/u"
    return ("--targets", targets, "--judges", f"lexical,{provider}/j", "--concurrency", str(IN_FLIGHT))


def _addresses(provider: str, server: ChatServer | BatchServer) -> tuple[str, ...]:
    return ("--base-url", f"{provider}={server.url}/v1", "--base-url", f"anthropic={server.url}")


def answered(run: Path) -> dict[str, str]:
    """The key of every request with an answer on record, and the body it is sent with, as the servers name it."""
    if not (run / "journal.sqlite").exists():
        return {}
    query = "SELECT r.key, r.body FROM requests r JOIN attempts a USING (key) WHERE a.kind = 'completion'"
    found = {}
    with Journal(run / "journal.sqlite") as journal:
        for key, packed in journal.database.execute(query):
            request = load_request(zlib.decompress(packed).decode())
            body = to_anthropic(request) if request.model.startswith("anthropic/") else to_openai(request)
            found[key] = json.dumps(body, sort_keys=True)
    return found
