"""Showing a run go on: bars with rate and ETA on a terminal, plain lines elsewhere."""

import time
from collections import Counter
from typing import TextIO

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from schemas.chat import Completion
from schemas.vocabulary import Outcome

SECONDS_BETWEEN_LINES = 15.0


class BarWatcher:
    """One bar a stage and model, with what came back beside it."""

    def __init__(self, console: Console) -> None:
        self._bars = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("eta"),
            TimeRemainingColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[notes]}", markup=False),
            console=console,
            transient=False,
        )
        self._tasks: dict[tuple[str, str], TaskID] = {}
        self._notes: dict[tuple[str, str], Counter[str]] = {}

    def begin(self, stage: str, model: str, planned: int, already: int) -> None:
        """Show a bar, filled as far as the journal already goes."""
        self._bars.start()
        name = f"{stage:<8} {model}"
        self._tasks[stage, model] = self._bars.add_task(name, total=planned, completed=already, notes="")
        self._notes[stage, model] = Counter()

    def answered(self, stage: str, completion: Completion, model: str) -> None:
        """One more is on record."""
        if completion.outcome is not Outcome.TEXT:
            self._notes[stage, model][str(completion.outcome)] += 1
        self._advance(stage, model, 1)

    def failed(self, stage: str, model: str, kind: str) -> None:
        """An attempt failed."""
        self._notes[stage, model][kind] += 1
        self._advance(stage, model, 0)

    def end(self) -> None:
        """Leave the bars as they are and free the terminal."""
        self._bars.stop()

    def _advance(self, stage: str, model: str, by: int) -> None:
        notes = " ".join(f"{name}:{count}" for name, count in self._notes[stage, model].most_common(4))
        self._bars.update(self._tasks[stage, model], advance=by, notes=notes)


class LineWatcher:
    """One line a stage and model at the start, at the end, and every few seconds between."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._begun: dict[tuple[str, str], tuple[int, float]] = {}
        self._done: Counter[tuple[str, str]] = Counter()
        self._fresh: Counter[tuple[str, str]] = Counter()
        self._errors: Counter[tuple[str, str]] = Counter()
        self._last = 0.0

    def begin(self, stage: str, model: str, planned: int, already: int) -> None:
        """Say how much there is to do."""
        self._last = time.monotonic()
        self._begun[stage, model] = (planned, self._last)
        self._done[stage, model] = already
        self._say(f"{stage} {model}: {already} of {planned} on record, {planned - already} to ask")

    def answered(self, stage: str, _completion: Completion, model: str) -> None:
        """Say now and then how far it is, how fast, and how long it will take."""
        self._done[stage, model] += 1
        self._fresh[stage, model] += 1
        planned, since = self._begun[stage, model]
        now = time.monotonic()
        if now - self._last < SECONDS_BETWEEN_LINES and self._done[stage, model] < planned:
            return
        self._last = now
        rate = self._fresh[stage, model] / max(now - since, 1e-9)
        left = (planned - self._done[stage, model]) / rate
        self._say(
            f"{stage} {model}: {self._done[stage, model]} of {planned}, {rate:.1f}/s, "
            f"eta {left:.0f} s, failed attempts {self._errors[stage, model]}"
        )

    def failed(self, stage: str, model: str, kind: str) -> None:
        """Say the first failure of a kind at once; later ones are in the counts."""
        self._errors[stage, model] += 1
        if self._errors[stage, model] == 1:
            self._say(f"{stage} {model}: an attempt failed ({kind}); trying again where that can help")

    def end(self) -> None:
        """Nothing to free."""

    def _say(self, line: str) -> None:
        self._stream.write(f"{line}\n")
        self._stream.flush()
