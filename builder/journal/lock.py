"""One run directory, one writer: a lock the operating system frees when its holder dies."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows has no fcntl; the toolkit is for Linux and macOS
    raise SystemExit("this toolkit runs on Linux and macOS; on Windows use WSL") from None


class RunLockedError(Exception):
    """Another process is writing this run directory."""


@contextmanager
def run_lock(run: Path) -> Iterator[None]:
    """Hold the run directory for writing while the block runs.

    Raises RunLockedError at once, naming the process that holds it, if another one does.
    """
    path = run / "run.lock"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 32).decode(errors="replace").strip() or "unknown"
            raise RunLockedError(
                f"{run} is in use by another run (process {holder}): wait for it, stop it, or give another --run"
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)
