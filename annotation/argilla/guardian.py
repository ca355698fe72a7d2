"""Kills what its parent started if the parent dies without doing so itself.

Process groups arrive as lines on stdin; `done` means that all were stopped. The end of stdin without it means the
parent was killed: every group is killed, and the temporary directory given as argument removed.
"""

import contextlib
import os
import shutil
import signal
import sys
from pathlib import Path


def main() -> None:
    """Wait for the parent's end."""
    started: dict[int, str] = {}
    for line in sys.stdin:
        if line.strip() == "done":
            return
        started[int(line)] = start_time(int(line))
    for group, since in reversed(started.items()):
        # One that ended long ago may have passed its number on to a stranger, who started later.
        if start_time(group) == since:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
    shutil.rmtree(sys.argv[1], ignore_errors=True)


def start_time(process: int) -> str:
    """When a process started, in the kernel's own count; the same for all where there is no /proc."""
    try:
        return (
            Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[19]
        )
    except FileNotFoundError:
        return "" if not Path("/proc/self").exists() else "gone"


if __name__ == "__main__":
    main()
