"""Shell scripts that see mounts of their own: a small disk, a directory that nobody can write, root included."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ALONE = ["unshare", "--mount"] if os.getuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]


def in_own_mounts(script: str, place: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """What a shell script says that may mount; `$0` is the place, `"$@"` the command. Skips where that is forbidden."""
    if not _allowed():
        pytest.skip("this system gives nobody mounts of their own")
    return subprocess.run(
        [*ALONE, "sh", "-ec", script, str(place), *command], capture_output=True, text=True, check=False
    )


def _allowed() -> bool:
    try:
        return subprocess.run([*ALONE, "sh", "-ec", "mount -t tmpfs none /mnt"], capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def build_command(run: Path, *flags: str) -> list[str]:
    """A small build with a scripted model, as a process of its own."""
    cells = ["--topics", "weapons,fraud", "--levels", "1,5", "--per-cell", "2"]
    models = ["--targets", "scripted/plausible", "--judges", "lexical,scripted/plausible"]
    return [sys.executable, "-m", "builder.cli", "--run", str(run), *cells, *models, *flags]
