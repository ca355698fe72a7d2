"""Loads a published release as a stranger would: in a new process, with an empty cache, and compares the digests."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from hub_card.facts import ReleaseError
from hub_card.hub_errors import HubBusyError

DROPPED = ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "HF_DATASETS_CACHE", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE")
UNREACHABLE = 3


def verify(
    place: str,
    digests: Mapping[str, str],
    *,
    revision: str | None = None,
    endpoint: str | None = None,
    token: str | None = None,
) -> None:
    """Checks that every config of `place` (a directory or a repository) loads and has these digests.

    Raises ReleaseError with what differs, HubBusyError if the Hub could not be reached.
    """
    with tempfile.TemporaryDirectory() as home:
        environment = {name: value for name, value in os.environ.items() if name not in DROPPED}
        environment |= {"HF_HOME": home, "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
        environment |= {"HF_ENDPOINT": endpoint, "HF_HUB_DISABLE_XET": "1"} if endpoint else {"HF_HUB_OFFLINE": "1"}
        if token:
            environment["HF_TOKEN"] = token
        environment["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
        asked = json.dumps({"place": place, "revision": revision, "digests": dict(digests)})
        command = [sys.executable, "-m", "hub_card.verify_process"]
        done = subprocess.run(command, input=asked, capture_output=True, text=True, env=environment)
    if done.returncode == UNREACHABLE:
        raise HubBusyError(f"verifying {place}: {done.stdout.strip()}")
    if done.returncode != 0:
        said = done.stdout.strip() or done.stderr.strip().splitlines()[-1]
        raise ReleaseError(f"{place} was published, but does not load as it should:\n{said}")
