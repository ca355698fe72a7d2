"""Ctrl-C: once means finish what is in flight and stop, twice means stop now."""

import asyncio
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupt:
    """Remembers that the user asked to stop."""

    def __init__(self) -> None:
        self._flag = threading.Event()

    @property
    def asked(self) -> bool:
        """Whether the user asked to stop."""
        return self._flag.is_set()

    def ask(self) -> None:
        """Ask to stop, as Ctrl-C does."""
        self._flag.set()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Catch SIGINT and SIGTERM while the block runs; a second one interrupts at once.

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
        if self._flag.is_set():
            raise KeyboardInterrupt
        self._flag.set()
        sys.stderr.write("\nstopping: calls in flight are waited for and recorded; Ctrl-C again stops at once\n")

    async def sleep(self, seconds: float) -> None:
        """Sleep, but wake up soon after the user asks to stop."""
        deadline = asyncio.get_running_loop().time() + seconds
        while not self.asked and (left := deadline - asyncio.get_running_loop().time()) > 0:
            await asyncio.sleep(min(left, 0.2))
