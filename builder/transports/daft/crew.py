"""Who carries out a plan, and whether the packages for it are there."""

import secrets
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from schemas.config import BuildConfig

DEFAULT_WORKERS = 2
LARGEST_PARTITION = 2000
SMALLEST_PARTITION = 50
PARTITIONS_A_WORKER = 4


class FrameError(Exception):
    """Daft or Ray could not carry out the plan; holds their words."""


@dataclass(frozen=True, slots=True)
class Crew:
    """So many workers, on this machine or on the Ray cluster at `ray`, over one store.

    They know the run's own store by the file `sign` in it.
    """

    workers: int
    ray: str | None
    store: str
    sign: str
    config: BuildConfig


def store_place(config: BuildConfig, run: Path) -> str:
    """Where workers put answers: what is configured, else a folder of the run."""
    return config.store or str((run / "completions").absolute())


def crew_of(config: BuildConfig, run: Path) -> Crew:
    """The crew a configuration asks for."""
    sign = f".run-{secrets.token_hex(8)}"
    return Crew(config.workers or DEFAULT_WORKERS, config.ray, store_place(config, run), sign, config)


def extra_problems(config: BuildConfig) -> list[str]:
    """Which packages the transport needs that are not there, and how they are installed."""
    wanted = [] if config.transport != "daft" else ["daft"] if config.ray is None else ["daft", "ray"]
    missing = [name for name in wanted if find_spec(name) is None]
    if not missing:
        return []
    return [
        f"--transport daft needs {' and '.join(missing)}, not installed here. Install the extra, in the project's "
        "folder: .venv/bin/python -m pip install --editable '.[scale]'"
    ]


def partition_size(count: int, workers: int) -> int:
    """How many requests a partition holds: a few partitions a worker, none too small to keep it busy, none huge."""
    fair = -(-count // workers)
    wanted = max(-(-fair // PARTITIONS_A_WORKER), SMALLEST_PARTITION)
    return max(1, min(wanted, fair, LARGEST_PARTITION))
