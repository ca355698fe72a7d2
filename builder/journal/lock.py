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
    """This run directory cannot be written: another process does, or the system does not let us."""


@contextmanager
def run_lock(run: Path) -> Iterator[None]:
    """Hold the run directory for writing while the block runs.

    Raises RunLockedError at once, naming the process that holds it, if another one does, or why it cannot be written.
    """
    descriptor = _locked(run)
    try:
        yield
    finally:
        os.close(descriptor)


def _locked(run: Path) -> int:
    try:
        descriptor = os.open(run / "run.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        except BaseException:
            os.close(descriptor)
            raise
    except BlockingIOError:
        raise RunLockedError(
            f"{run} is in use by another run (process {_holder(run)}): wait for it, stop it, or give another --run"
        ) from None
    except OSError as error:
        raise RunLockedError(
            f"cannot write the run directory {run}: {error.strerror}. Make it writable, make room or give another --run"
        ) from error
    return descriptor


def _holder(run: Path) -> str:
    return (run / "run.lock").read_text(encoding="utf-8", errors="replace")[:32].strip() or "unknown"
