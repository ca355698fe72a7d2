"""`python -m benchmarks.scale [--rows N …] [--json FILE] [--keep DIR]`: from a journal to a release, by number of rows.

For each size, in a process of its own: scripted answers are written into a journal (time apart), then everything is
derived from it and released with its report (and validated, with `--validate`). A row has a prediction and a response,
so two completions. Seconds are wall clock, and CPU of all processes; memory is the highest sum of their resident sets
(shared pages count in each).
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.scripted_answers import fill
from builder.corpus_file import read_corpus
from builder.journal.store import Journal
from builder.judge_records import valid_records
from builder.pipeline import BuildResult, conclude_build
from builder.work import plan_work
from hub_card.validate import validate_release
from schemas.config import LEXICAL, BuildConfig

SIZES = (10_000, 100_000, 1_000_000)
TARGETS = tuple(f"scripted/target-{letter}" for letter in "abcd")
PAGE = os.sysconf("SC_PAGE_SIZE")
LOOK_S = 0.2
Result = TypeVar("Result")


class Memory:
    """The highest sum of resident memory of this process and its children since `restart`, looked at 5 times a second.

    Where there is no /proc, the highest of this process alone since its start.
    """

    def __init__(self) -> None:
        self.peak = 0
        threading.Thread(target=self._watch, daemon=True).start()

    def restart(self) -> None:
        self.peak = 0

    def _watch(self) -> None:
        while True:
            self.peak = max(self.peak, resident(os.getpid()))
            time.sleep(LOOK_S)


def resident(process: int) -> int:
    """Bytes of resident memory of a process and all its descendants."""
    home = Path(f"/proc/{process}")
    try:
        own = int((home / "statm").read_text().split()[1]) * PAGE
        children = {child for task in home.glob("task/*/children") for child in task.read_text().split()}
    except (OSError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 if process == os.getpid() else 0
    return own + sum(resident(int(child)) for child in children)


@dataclass(slots=True)
class Measured:
    """One size and what each step took: name → wall seconds, CPU seconds, peak GB."""

    rows: int = 0
    completions: int = 0
    journal_gb: float = 0.0
    release_gb: float = 0.0
    steps: dict[str, dict[str, float]] = field(default_factory=dict)


def cpu_seconds() -> float:
    """CPU seconds of this process and of children that have ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def measure(rows: int, run: Path, validate: bool) -> Measured:
    """Builds and releases about this many rows under `run`; a journal of the same plan that is there is used again."""
    found, memory = Measured(), Memory()

    def step(name: str, work: Callable[[], Result]) -> Result:
        memory.restart()
        wall, cpu = time.perf_counter(), cpu_seconds()
        result = work()
        took = {"wall_s": time.perf_counter() - wall, "cpu_s": cpu_seconds() - cpu, "peak_gb": memory.peak / 1e9}
        found.steps[name] = {key: round(value, 2) for key, value in took.items()}
        return result

    requests = read_corpus().requests
    texts = sum(1 + len(request.paraphrases) for request in requests)
    samples = max(1, round(rows / texts / len(TARGETS)))
    config = BuildConfig(targets=TARGETS, judges=(LEXICAL,), samples=samples)
    records = valid_records(config.judges, ())
    run.mkdir(parents=True, exist_ok=True)
    work = step("plan", lambda: plan_work(requests, config))
    file = run / f"journal-{work.predict_keys[-1][:12]}.sqlite"
    fresh = not file.exists()
    with Journal(file) as journal:
        if fresh:
            step("journal", lambda: fill(journal, work))
        result = step("derive, release, report", lambda: conclude_build(BuildResult(work), journal, records, run))
    if result.release is None:
        raise RuntimeError("no release was written")
    release = result.release
    problems = step("validate", lambda: validate_release(release)) if validate else []
    if problems:
        raise RuntimeError(f"the release has problems: {problems[0]}")
    found.rows, found.completions = len(work.trials), 2 * len(work.trials)
    found.journal_gb = round(file.stat().st_size / 1e9, 3)
    found.release_gb = round(sum(path.stat().st_size for path in release.rglob("*") if path.is_file()) / 1e9, 3)
    return found


def measured_apart(rows: int, keep: Path | None, validate: bool) -> dict[str, Any]:
    """`measure` in a process of its own, so that memory is that of this size alone."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) if keep is None else keep / str(rows)
        command = [sys.executable, "-m", "benchmarks.scale", "--one", str(rows), "--keep", str(run)]
        command += ["--validate"] if validate else []
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def table(found: list[dict[str, Any]]) -> str:
    """The measurements as text, one line a size and step."""
    lines = [f"{'rows':>10} {'step':<24} {'wall s':>8} {'CPU s':>8} {'ms a row':>9} {'peak GB':>8}"]
    for size in found:
        for name, took in size["steps"].items():
            each = 1000 * took["cpu_s"] / size["rows"]
            lines.append(
                f"{size['rows']:>10,} {name:<24} {took['wall_s']:>8.1f} {took['cpu_s']:>8.1f} {each:>9.3f} "
                f"{took['peak_gb']:>8.2f}"
            )
    return "\n".join(lines)


def main() -> None:
    """Prints the table and, if asked, writes the measurements as JSON."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--rows", type=int, nargs="+", default=SIZES, metavar="N", help="sizes (default: %(default)s)")
    asked.add_argument("--json", type=Path, metavar="FILE", help="also write the measurements here")
    asked.add_argument("--keep", type=Path, metavar="DIR", help="keep journals and releases here, and use them again")
    asked.add_argument("--validate", action="store_true", help="also validate each release")
    asked.add_argument("--one", type=int, help=argparse.SUPPRESS)
    arguments = asked.parse_args()
    if arguments.one:
        print(json.dumps(asdict(measure(arguments.one, arguments.keep, arguments.validate))))
        return
    found = []
    for rows in arguments.rows:
        found.append(measured_apart(rows, arguments.keep, arguments.validate))
        print(table(found), flush=True)
    if arguments.json:
        machine = {"cpus": os.cpu_count(), "machine": platform.machine(), "python": platform.python_version()}
        machine["load_now"] = str(os.getloadavg()[0])
        arguments.json.write_text(json.dumps({"machine": machine, "sizes": found}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
