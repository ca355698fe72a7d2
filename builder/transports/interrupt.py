"""Ctrl-C: once means finish what is nearly done and stop, twice means stop now; both keep what arrived."""

import asyncio
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

DRAIN_S = 10.0
GLANCE_S = 0.1


class Interrupt:
    """Remembers that the user asked to stop, and whether at once.

    While `calls_in_flight`, a second signal ends the wait for them; at any other time it interrupts the program.
    """

    def __init__(self, drain_s: float = DRAIN_S) -> None:
        self._drain_s = drain_s
        self._asked = threading.Event()
        self._at_once = threading.Event()
        self.calls_in_flight = False

    @property
    def asked(self) -> bool:
        """Whether the user asked to stop."""
        return self._asked.is_set()

    def ask(self) -> None:
        """Ask to stop, as Ctrl-C does; a second time, to stop at once."""
        (self._at_once if self.asked else self._asked).set()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Catch SIGINT and SIGTERM while the block runs.

        Outside the main thread, where signals cannot be caught, the block just runs.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._received) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _received(self, _number: int, _frame: FrameType | None) -> None:
        if self._at_once.is_set() or (self.asked and not self.calls_in_flight):
            raise KeyboardInterrupt
        if self.asked:
            sys.stderr.write("\nstopping now: calls in flight are given up, what arrived is recorded\n")
        elif self.calls_in_flight:
            sys.stderr.write(
                f"\nstopping: calls in flight have {self._drain_s:g} seconds to end and be recorded; "
                "Ctrl-C again stops at once\n"
            )
        else:
            sys.stderr.write("\nstopping; Ctrl-C again stops at once\n")
        self.ask()

    async def sleep(self, seconds: float, enough: Callable[[], bool] = lambda: False) -> None:
        """Sleep, but wake up soon after the user asks to stop, or there is `enough` for another reason."""
        await _until(lambda: self.asked or enough(), seconds)

    async def wait(self) -> None:
        """Return soon after the user asks to stop."""
        await _until(self._asked.is_set, float("inf"))

    async def drained(self) -> None:
        """Return when calls in flight have had their time to end, or soon after the user asks to stop at once."""
        await _until(self._at_once.is_set, self._drain_s)


async def _until(enough: Callable[[], bool], seconds: float) -> None:
    clock = asyncio.get_running_loop().time
    deadline = clock() + seconds
    while not enough() and (left := deadline - clock()) > 0:
        await asyncio.sleep(min(left, GLANCE_S))
