"""Kills what its parent started if the parent dies without doing so itself.

Process groups arrive as lines on stdin; `done` means that all were stopped. The end of stdin without it means the
parent was killed: every group is killed, and the temporary directory given as argument removed.
"""

import contextlib
import os
import shutil
import signal
import sys


def main() -> None:
    """Wait for the parent's end."""
    groups: list[int] = []
    for line in sys.stdin:
        if line.strip() == "done":
            return
        groups.append(int(line))
    for group in reversed(groups):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
    shutil.rmtree(sys.argv[1], ignore_errors=True)


if __name__ == "__main__":
    main()
