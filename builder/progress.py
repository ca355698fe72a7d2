"""Showing a run go on: bars with rate, ETA and spend on a terminal, plain lines elsewhere."""

import time
from typing import TextIO

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from builder.counted import counted
from builder.providers.protocol import RETRYABLE
from builder.spend import Count, Pricing, Tally
from builder.waits import Waits
from schemas.chat import Completion
from schemas.printable import one_line

SECONDS_BETWEEN_LINES = 15.0


class NotesColumn(ProgressColumn):
    """What came back besides plain answers, and, counting down, how long the model is waited for."""

    def __init__(self, waits: Waits) -> None:
        super().__init__()
        self._waits = waits

    def render(self, task: Task) -> Text:
        """The notes of a bar."""
        waiting = "" if task.finished else self._waits.words(task.fields["model"])
        return Text(", ".join(part for part in (task.fields["notes"], waiting) if part))


class BarWatcher:
    """One bar a stage and model, with what came back and what it cost beside it."""

    def __init__(self, console: Console, price: Pricing = lambda _model: None) -> None:
        self._waits = Waits()
        self._bars = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("eta"),
            TimeRemainingColumn(),
            TimeElapsedColumn(),
            NotesColumn(self._waits),
            console=console,
            transient=False,
        )
        self._tasks: dict[tuple[str, str], TaskID] = {}
        self._tally = Tally(price)

    def begin(self, stage: str, model: str, planned: int, already: int) -> None:
        """Show a bar, filled as far as the journal already goes."""
        self._bars.start()
        self._tally.begin(stage, model, planned, already)
        name = f"{stage:<8} {model}"
        self._tasks[stage, model] = self._bars.add_task(name, total=planned, completed=already, notes="", model=model)

    def answered(self, stage: str, completion: Completion, model: str) -> None:
        """One more is on record."""
        self._show(stage, model, self._tally.answered(stage, completion, model))

    def failed(self, stage: str, model: str, kind: str) -> None:
        """An attempt failed."""
        self._show(stage, model, self._tally.failed(stage, model, kind))

    def waiting(self, model: str, wait_s: float) -> None:
        """Nothing more is asked of a model for a while; the bar counts down."""
        self._waits.told(model, wait_s)

    def under_way(self, model: str, requests: int, batches: int) -> None:
        """Say above the bars what is waited for."""
        self._bars.console.print(_under_way(model, requests, batches), markup=False, highlight=False)

    def given_up(self, model: str, why: str) -> None:
        """Say above the bars that a model was given up, and why."""
        self._bars.console.print(one_line(f"{model} was given up: {why}"), markup=False, highlight=False)

    def end(self) -> None:
        """Leave the bars as they are and free the terminal."""
        self._bars.stop()

    def _show(self, stage: str, model: str, count: Count) -> None:
        self._bars.update(self._tasks[stage, model], completed=count.done, notes=count.notes)


class LineWatcher:
    """One line a stage and model at the start, at the end, and every few seconds between."""

    def __init__(self, stream: TextIO, price: Pricing = lambda _model: None) -> None:
        self._stream = stream
        self._tally = Tally(price)
        self._waits = Waits()
        self._since: dict[tuple[str, str], float] = {}
        self._last = 0.0

    def begin(self, stage: str, model: str, planned: int, already: int) -> None:
        """Say how much there is to do."""
        self._last = time.monotonic()
        self._since[stage, model] = self._last
        self._tally.begin(stage, model, planned, already)
        self._say(f"{stage} {model}: {already} of {planned} on record, {planned - already} to ask")

    def answered(self, stage: str, completion: Completion, model: str) -> None:
        """Say now and then how far it is, how fast, how long it will take, and what it cost."""
        count = self._tally.answered(stage, completion, model)
        if self._due() or count.done == count.planned:
            self._tell(stage, model, count)

    def failed(self, stage: str, model: str, kind: str) -> None:
        """Say the first failure at once, and how far it is now and then, also while nothing but failures comes."""
        count = self._tally.failed(stage, model, kind)
        if count.errors.total() == 1:
            more = "; trying again where that can help" if kind in RETRYABLE else ""
            self._say(f"{stage} {model}: an attempt failed ({kind}){more}")
        elif self._due():
            self._tell(stage, model, count)

    def waiting(self, model: str, wait_s: float) -> None:
        """Say that nothing more is asked of a model for a while, where it is some seconds."""
        if self._waits.told(model, wait_s):
            self._say(f"{model}: {self._waits.words(model)}")

    def under_way(self, model: str, requests: int, batches: int) -> None:
        """Say what is waited for."""
        self._say(_under_way(model, requests, batches))

    def given_up(self, model: str, why: str) -> None:
        """Say that a model was given up, and why."""
        self._say(one_line(f"{model} was given up: {why}"))

    def end(self) -> None:
        """Say what the run has cost, if it cost anything."""
        if self._tally.usd:
            self._say(f"spent in this run so far: US$ {self._tally.usd:.2f}")

    def _due(self) -> bool:
        return time.monotonic() - self._last >= SECONDS_BETWEEN_LINES

    def _tell(self, stage: str, model: str, count: Count) -> None:
        self._last = time.monotonic()
        answered = count.done - count.already
        rate = answered / max(self._last - self._since[stage, model], 1e-9)
        left = f"eta {(count.planned - count.done) / rate:.0f} s" if answered else "no answer in this run yet"
        told = [f"{count.done} of {count.planned}", f"{rate:.1f}/s", left, count.notes, self._waits.words(model)]
        self._say(f"{stage} {model}: {', '.join(part for part in told if part)}")

    def _say(self, line: str) -> None:
        self._stream.write(f"{line}\n")
        self._stream.flush()


def _under_way(model: str, requests: int, batches: int) -> str:
    where = f"{counted(requests, 'request')} in {counted(batches, 'batch', 'batches')} at the provider"
    return f"{model}: {where}; it may take up to a day. Ctrl-C is safe: the same command collects what they bring"
