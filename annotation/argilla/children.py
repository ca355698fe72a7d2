"""Processes that live no longer than this one: each in a group of its own, stopped in order, watched by a guardian."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple

PATIENCE_S = 10.0


class _Child(NamedTuple):
    process: subprocess.Popen[bytes]
    ended_by: signal.Signals


@dataclass(slots=True)
class Children:
    """Start with `start`, end with `stop`. If this process is killed the guardian ends them and removes `scratch`."""

    environment: dict[str, str]
    scratch: Path
    _running: dict[str, _Child] = field(default_factory=dict)
    _guardian: subprocess.Popen[bytes] | None = None

    def start(self, name: str, command: list[str], log: Path, ended_by: signal.Signals = signal.SIGTERM) -> None:
        """Start a process whose output goes to `log` and which `ended_by` asks to end."""
        with private_log(log) as out:
            child = subprocess.Popen(
                command,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
                umask=0o077,
            )
        self._running[name] = _Child(child, ended_by)
        self._tell_guardian(f"{child.pid}\n")

    def ended(self) -> str | None:
        """The name of a process that has ended by itself, if one has."""
        return next((name for name, child in self._running.items() if child.process.poll() is not None), None)

    def stop(self) -> None:
        """End every process, the last started first, by force if it takes more than ten seconds."""
        for process, ended_by in reversed(self._running.values()):
            # A process that was waited for may have passed its number on to a stranger: it gets no signal.
            if process.poll() is None:
                os.killpg(process.pid, ended_by)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(PATIENCE_S)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self._running.clear()
        if self._guardian is not None:
            self._tell_guardian("done\n")
            self._guardian.wait()
            self._guardian = None

    def _tell_guardian(self, line: str) -> None:
        if self._guardian is None:
            script = str(Path(__file__).with_name("guardian.py"))
            self._guardian = subprocess.Popen(
                [sys.executable, "-I", script, str(self.scratch)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        pipe = self._guardian.stdin
        if pipe is not None:
            pipe.write(line.encode())
            pipe.flush()


def private_log(path: Path) -> IO[bytes]:
    """A log to write on at its end, readable for its owner alone."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")
