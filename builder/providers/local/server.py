"""Starting and stopping the child process that serves a local model."""

import os
import secrets
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from builder.providers.local.weights import LocalModelError

SLOTS = 4
CONTEXT = 4096
CORES = os.cpu_count() or 2
# A model this small spends its time waiting for its own threads: one process a core answers most.
SERVERS = min(CORES, 4)
THREADS = max(1, CORES // SERVERS)
# Threads that spin while they wait make the server ten times slower on a machine that does anything else.
SHARE_CORES = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0"}


@dataclass(slots=True)
class LocalServer:
    """A running server: its address, the key only this process knows, and how to stop it."""

    base_url: str
    api_key: str
    _process: subprocess.Popen[str]
    _log: IO[str]

    def stop(self) -> None:
        """End the child process and wait for it."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._log.close()


def start_server(
    weights: Path, name: str, *, slots: int = SLOTS, context: int = CONTEXT, threads: int = THREADS
) -> LocalServer:
    """Serve a GGUF file on a free loopback port. Raises LocalModelError with the server's last words if it fails.

    The child lives on our pipe to its standard input, so it ends when this process does, even by kill -9.
    """
    key = secrets.token_urlsafe(24)
    log = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115 - lives as long as the server
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "builder.providers.local.serve",
            str(weights),
            name,
            str(slots),
            str(context),
            str(threads),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        start_new_session=True,
        env=SHARE_CORES | os.environ,
    )
    if process.stdin is None or process.stdout is None:
        raise LocalModelError("the local model server has no pipes")
    try:
        process.stdin.write(f"{key}\n")
        process.stdin.flush()
    except BrokenPipeError:
        pass
    address = process.stdout.readline().strip()
    if not address.startswith("http"):
        words = _last_words(process, log)
        hint = "install the extra: pip install '.[local]'. " if "No module named 'xllamacpp'" in words else ""
        raise LocalModelError(f"the server of {weights.name} did not start. {hint}Its last words: {words}")
    return LocalServer(f"{address}/v1", key, process, log)


def _last_words(process: subprocess.Popen[str], log: IO[str]) -> str:
    process.kill()
    process.communicate()
    log.seek(0)
    words = log.read()[-600:].strip()
    log.close()
    return words
