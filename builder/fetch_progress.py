"""Telling how a download goes: nothing if it is quick, else a line now and then with speed and time to go."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

FIRST_AFTER_S, EVERY_S = 2.0, 5.0
MEGABYTE = 1_000_000


@contextmanager
def told_progress(
    name: str, folder: Path, megabytes: int, say: Callable[[str], None], *, after: float = FIRST_AFTER_S
) -> Iterator[None]:
    """While the block runs, `say` how much of so many megabytes lies in the folder: after some seconds, then often."""
    done = Event()
    watcher = Thread(target=_watch, args=(name, folder, megabytes, say, done, after), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def progress_text(name: str, megabytes: float, total: float, seconds: float) -> str:
    """How far a download is after so many seconds, how fast, and how long it will take."""
    if megabytes <= 0:
        return f"{name}: waiting for the first of {total:.0f} MB, {seconds:.0f} s so far"
    have = min(megabytes, total)
    rate = have / seconds
    return (
        f"{name}: {have:.0f} of {total:.0f} MB ({have / total:.0%}), {rate:.1f} MB/s, eta {(total - have) / rate:.0f} s"
    )


def _watch(name: str, folder: Path, total: int, say: Callable[[str], None], done: Event, after: float) -> None:
    began, wait = time.monotonic(), after
    while not done.wait(wait):
        say(progress_text(name, _size(folder) / MEGABYTE, total, time.monotonic() - began))
        wait = EVERY_S


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except FileNotFoundError:  # Moved or removed by the download meanwhile.
            continue
    return total
