"""kill -9 at random moments over all stages, live and batch; every killed build is finished and judged.

Wanted: each planned row exactly once, no answered call made again, at most the calls in flight lost, and the same bytes
as a run that nobody killed.

    python -m benchmarks.kill [--kills 200] [--minutes M] [--seed 0] [--json OUT]

Exit status: 0 everything held, 1 something did not.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from tests.servers.killed_runs import Verdict, kill_runs, learn
from tests.servers.killing import batch_scene, live_scene

AT_A_TIME = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill, judge, tell; returns the exit status."""
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--kills", type=int, default=200)
    flags.add_argument("--minutes", type=float, default=float("inf"), help="stop after so many, with fewer kills")
    flags.add_argument("--seed", type=int, default=0)
    flags.add_argument("--json", type=Path)
    given = flags.parse_args(arguments)
    found = _kill(given.kills, time.monotonic() + 60 * given.minutes, random.Random(given.seed))
    for name, verdict in found.items():
        sys.stdout.write(f"{_told(name, verdict)}\n")
    if given.json:
        given.json.write_text(json.dumps({name: verdict._asdict() for name, verdict in found.items()}, indent=1))
    return 1 if any(verdict.complaints for verdict in found.values()) else 0


def _kill(kills: int, until: float, rng: random.Random) -> dict[str, Verdict]:
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as stack:
        folder = Path(scratch)
        scenes = [stack.enter_context(live_scene(rng)), stack.enter_context(batch_scene(folder))]
        found = {scene.name: Verdict(Counter(), 0, 0, []) for scene in scenes}
        for scene in scenes:
            learn(scene, folder / f"{scene.name}-undisturbed")
        while (left := kills - sum(v.kills.total() for v in found.values())) > 0 and time.monotonic() < until:
            scene = min(scenes, key=lambda scene: found[scene.name].kills.total())
            new = kill_runs(scene, folder, min(AT_A_TIME, left), rng)
            found[scene.name] = _added(found[scene.name], new)
            sys.stderr.write(f"{_told(scene.name, found[scene.name])}\n")
    return found


def _added(one: Verdict, other: Verdict) -> Verdict:
    complaints = one.complaints + other.complaints
    return Verdict(one.kills + other.kills, one.runs + other.runs, one.lost + other.lost, complaints)


def _told(name: str, verdict: Verdict) -> str:
    moments = ", ".join(f"{moment} {count}" for moment, count in sorted(verdict.kills.items()))
    told = f"{name}: {verdict.kills.total()} kills of {verdict.runs} builds ({moments}), {verdict.lost} calls lost"
    return "\n  ".join([f"{told}, {len(verdict.complaints)} complaints", *verdict.complaints])


if __name__ == "__main__":
    sys.exit(main())
