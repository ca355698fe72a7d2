"""Mapping a function over parts in order: in this process, or in one a core where there is enough to do."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

MANY = 20_000
MOST = 4

Each = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]


@contextmanager
def workers(rows: int, many: int = MANY) -> Iterator[Each]:
    """A `map` that keeps the order: the built-in one for fewer than `many` rows or on one core, else over processes.

    Functions and arguments must then be importable and picklable. An interrupt ends the processes after what each is
    at; when this process dies, so do they.
    """
    cores = min(MOST, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    if rows < many or cores < 2:
        yield map
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(cores, mp_context=context, initializer=_start) as pool:
        try:
            yield partial(_ordered, pool, 2 * cores)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _ordered(
    pool: ProcessPoolExecutor, ahead: int, function: Callable[[Any], Any], arguments: Iterable[Any]
) -> Iterator[Any]:
    # Only so many results may wait to be taken: more would fill the memory that parts are to save.
    waiting: deque[Future[Any]] = deque()
    for argument in arguments:
        waiting.append(pool.submit(function, argument))
        if len(waiting) >= ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _start() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
