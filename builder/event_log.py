"""A run as JSON lines, one an event, for machines that watch: counts and money, no text and no secret."""

import json
from pathlib import Path
from typing import TextIO

from builder.providers.clock import now_text
from builder.spend import Count, Pricing, Tally
from builder.transports.protocol import Watcher
from builder.waits import Waits
from schemas.chat import Completion
from schemas.config import ConfigError

EVENTS = frozenset({"begin", "answer", "failure", "wait", "under_way", "given_up", "end"})
LONGEST = 1 << 16


def check_log(file: Path) -> None:
    """Raises ConfigError unless events can be appended to `file`: a new or empty one, a pipe, or an earlier log."""
    if not file.is_file() or not file.stat().st_size:
        return
    with file.open("rb") as opened:
        first = opened.readline(LONGEST)
    try:
        event = json.loads(first)
    except ValueError:
        event = None
    if not isinstance(event, dict) or event.get("event") not in EVENTS or "time" not in event:
        raise ConfigError(f"--json-log {file} exists and is no log of events: give another name")


class EventLog:
    """Writes each event to a stream as it happens.

    Events are `begin`, `answer` (with the outcome), `failure` (with the kind), `wait` (with the seconds), `under_way`
    (with the requests in batches), `given_up` (with the kind) and `end`.
    Counts are those of the stage and model since the run began, `usd_total` is the money of the whole run; `usd` is
    null without a price.
    """

    def __init__(self, stream: TextIO, price: Pricing) -> None:
        self._stream = stream
        self._tally = Tally(price)
        self._waits = Waits()

    def begin(self, stage: str, model: str, planned: int, already: int) -> None:
        """A stage begins with a model."""
        self._write("begin", stage, model, self._tally.begin(stage, model, planned, already))

    def answered(self, stage: str, completion: Completion, model: str) -> None:
        """An answer is on record."""
        count = self._tally.answered(stage, completion, model)
        self._write("answer", stage, model, count, outcome=str(completion.outcome), latency_s=completion.latency_s)

    def failed(self, stage: str, model: str, kind: str) -> None:
        """An attempt failed."""
        self._write("failure", stage, model, self._tally.failed(stage, model, kind), kind=kind)

    def waiting(self, model: str, wait_s: float) -> None:
        """Nothing more is asked of a model for some seconds, by what its server told of its limit."""
        if self._waits.told(model, wait_s):
            told = {"model": model, "wait_s": round(wait_s, 1), "usd_total": round(self._tally.usd, 6)}
            self._line({"time": now_text(), "event": "wait", **told})

    def under_way(self, model: str, requests: int, batches: int) -> None:
        """Requests of a model are in batches at its provider."""
        told = {"model": model, "requests": requests, "batches": batches, "usd_total": round(self._tally.usd, 6)}
        self._line({"time": now_text(), "event": "under_way", **told})

    def given_up(self, model: str, why: str) -> None:
        """A model was given up; of the reason only its kind is told, as servers word the rest."""
        told = {"model": model, "kind": why.partition(":")[0], "usd_total": round(self._tally.usd, 6)}
        self._line({"time": now_text(), "event": "given_up", **told})

    def end(self) -> None:
        """The requests of a stage are done."""
        self._line({"time": now_text(), "event": "end", "usd_total": round(self._tally.usd, 6)})

    def _write(self, event: str, stage: str, model: str, count: Count, **more: object) -> None:
        told = {
            "planned": count.planned,
            "done": count.done,
            "refused": count.refused,
            "filtered": count.filtered,
            "failed_attempts": count.errors.total(),
            "usd": None if count.usd is None else round(count.usd, 6),
            "usd_total": round(self._tally.usd, 6),
        }
        self._line({"time": now_text(), "event": event, "stage": stage, "model": model, **more, **told})

    def _line(self, event: dict[str, object]) -> None:
        self._stream.write(f"{json.dumps(event, ensure_ascii=False)}\n")
        self._stream.flush()


class Watchers:
    """Several watchers as one."""

    def __init__(self, *watchers: Watcher) -> None:
        self._watchers = watchers

    def begin(self, stage: str, model: str, planned: int, already: int) -> None:
        """Tell all."""
        for watcher in self._watchers:
            watcher.begin(stage, model, planned, already)

    def answered(self, stage: str, completion: Completion, model: str) -> None:
        """Tell all."""
        for watcher in self._watchers:
            watcher.answered(stage, completion, model)

    def failed(self, stage: str, model: str, kind: str) -> None:
        """Tell all."""
        for watcher in self._watchers:
            watcher.failed(stage, model, kind)

    def waiting(self, model: str, wait_s: float) -> None:
        """Tell all."""
        for watcher in self._watchers:
            watcher.waiting(model, wait_s)

    def under_way(self, model: str, requests: int, batches: int) -> None:
        """Tell all."""
        for watcher in self._watchers:
            watcher.under_way(model, requests, batches)

    def given_up(self, model: str, why: str) -> None:
        """Tell all."""
        for watcher in self._watchers:
            watcher.given_up(model, why)

    def end(self) -> None:
        """Tell all."""
        for watcher in self._watchers:
            watcher.end()
