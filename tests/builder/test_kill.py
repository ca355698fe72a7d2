"""kill -9 at any moment: running again ends with every planned row once, the same bytes, and no answered call twice."""

import random
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.servers.killed_runs import kill_runs, learn
from tests.servers.killing import Scene, batch_scene, live_scene


@pytest.mark.parametrize(("name", "seed"), [("live", 1), ("batch", 2)])
def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, name: str, seed: int) -> None:
    rng = random.Random(seed)
    scenes: dict[str, AbstractContextManager[Scene]] = {"live": live_scene(rng), "batch": batch_scene(tmp_path)}
    with scenes[name] as scene:
        learn(scene, tmp_path / "undisturbed")
        verdict = kill_runs(scene, tmp_path, 6, rng)
    assert verdict.complaints == []
    assert sum(verdict.kills.values()) >= 6
