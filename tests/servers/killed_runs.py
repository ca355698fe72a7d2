"""Killing the builds of a scene so many times, and judging each of them."""

import random
import shutil
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from tests.builder.test_build import digests, table
from tests.servers.killing import Scene, answered

KILLS_A_RUN = 4


class Verdict(NamedTuple):
    """Kills by moment, and what did not hold; `lost` counts calls in flight whose answers came too late."""

    kills: Counter[str]
    runs: int
    lost: int
    complaints: list[str]


def learn(scene: Scene, run: Path) -> None:
    """Let an undisturbed build tell the scene its bytes, its calls and how long its release takes."""
    process = scene.start(run)
    begun: float | None = None
    while process.is_alive():
        if begun is None and list(run.glob(".re*")):
            begun = time.monotonic()
        time.sleep(0.001)
    if process.exitcode != 0 or begun is None:
        raise RuntimeError(f"the undisturbed build of the scene {scene.name} ended with {process.exitcode}")
    scene.release_s = time.monotonic() - begun
    scene.total_calls = scene.asked().total()
    if scene.total_calls != len(scene.asked()):
        raise RuntimeError(f"the scene {scene.name} sends one body for two requests: repeated calls could not be told")
    scene.expected = digests(run / "release")


def kill_runs(scene: Scene, folder: Path, kills: int, rng: random.Random) -> Verdict:
    """Kill builds of the scene until so many died, up to four times a build, each then finished and judged."""
    verdict = Verdict(Counter(), 0, 0, [])
    while sum(verdict.kills.values()) < kills:
        before = scene.asked().total()
        run = folder / f"{scene.name}{verdict.runs}"
        lost = sum(_kill_once(scene, run, rng, verdict) for _ in range(rng.randint(1, KILLS_A_RUN)))
        if (status := scene.finish(run)) != 0:
            verdict.complaints.append(f"{run.name} ended with {status}")
        else:
            verdict.complaints.extend(f"{run.name}: {words}" for words in _judge(scene, run, before, lost))
        verdict = verdict._replace(runs=verdict.runs + 1, lost=verdict.lost + lost)
        if not verdict.complaints:
            shutil.rmtree(run)
    return verdict


def _kill_once(scene: Scene, run: Path, rng: random.Random, verdict: Verdict) -> int:
    before, known = scene.asked(), answered(run)
    scene.trigger = scene.draw(rng, scene.total_calls - len(known))
    if scene.trigger.watch(scene.start(run), run):
        verdict.kills[scene.trigger.moment] += 1
    time.sleep(0.05)
    fresh, now = scene.asked() - before, answered(run)
    again = [key for key, body in known.items() if fresh[key] or fresh[body]]
    if again:
        verdict.complaints.append(f"{run.name}: {len(again)} answered calls were made again")
    lost = fresh.total() - (len(now) - len(known)) if scene.in_flight else 0
    if lost > scene.in_flight:
        verdict.complaints.append(f"{run.name}: {lost} calls were lost with {scene.in_flight} in flight")
    return lost


def _judge(scene: Scene, run: Path, before: int, lost: int) -> list[str]:
    rows = Counter((r["target"], r["variant_id"], r["sample"]) for r in table(run / "release", "datapoints"))
    made = scene.asked().total() - before
    found = []
    if digests(run / "release") != scene.expected:
        found.append("other bytes than the undisturbed run's")
    if set(rows.values()) != {1} or len(rows) != 3 * 6:
        found.append(f"{len(rows)} rows, up to {max(rows.values())} times")
    if made > scene.total_calls + lost:
        found.append(f"{made} calls, want at most {scene.total_calls} and {lost} that were in flight")
    if left := [path.name for path in (*run.glob(".re*"), *run.glob("*.part"))]:
        found.append(f"left behind: {', '.join(left)}")
    return found
