"""`annotate-dataset serve` as a user runs it: started, read, stopped, killed."""

import json
import re
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import httpx2

READY = re.compile(r"Argilla is at (\S+) ")
ACCOUNT = re.compile(r"^  (\S+) +(\S+)   (owner|admin|annotator)$")


def free_port() -> int:
    """A port nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(slots=True)
class Serving:
    """One `serve` command and what it has said; passwords are kept over restarts, as a person would."""

    run: Path
    flags: tuple[str, ...] = ()
    port: int = field(default_factory=free_port)
    passwords: dict[str, str] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    process: subprocess.Popen[str] | None = None
    _clients: dict[str, httpx2.Client] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def home(self) -> Path:
        """Its own directory."""
        return self.run / "argilla"

    @property
    def owner_key(self) -> str:
        """The owner's API key."""
        return str(json.loads((self.home / "secrets.json").read_text())["owner_api_key"])

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is not None and self.process.returncode is None:
            self.stop()

    def start(self) -> None:
        """Start it and wait until it says that it is ready."""
        command = [sys.executable, "-m", "builder.annotate_cli", "serve", "--run", str(self.run)]
        command += ["--port", str(self.port), *self.flags]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        stdout = self.process.stdout
        assert stdout is not None
        for line in stdout:
            self.said.append(line.rstrip("\n"))
            account = ACCOUNT.match(self.said[-1])
            if account:
                self.passwords[account.group(1)] = account.group(2)
            if line.startswith("data and logs:"):
                return
        raise AssertionError("\n".join(self.said))

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        """Stop it as Ctrl-C does, or otherwise; returns its exit status."""
        for client in self._clients.values():
            client.close()
        self._clients.clear()
        assert self.process is not None
        self.process.send_signal(how)
        assert self.process.stdout is not None
        self.said += self.process.stdout.read().splitlines()
        self.process.stdout.close()
        return self.process.wait(60)

    def scratch(self) -> Path:
        """Its temporary directory, as its processes know it."""
        for entry in Path("/proc").iterdir():
            variables = dict(part.partition("=")[::2] for part in _read(entry / "environ").split("\0"))
            if variables.get("ARGILLA_HOME_PATH") == str(self.home):
                return Path(variables["TMPDIR"])
        raise AssertionError("it does not run")

    def client(self, user: str = "owner") -> httpx2.Client:
        """A client logged in as the owner, by key, or as anybody else, by password; one a user."""
        if user not in self._clients:
            self._clients[user] = httpx2.Client(
                base_url=self.url, headers=self._login(user), timeout=120, trust_env=False
            )
        return self._clients[user]

    def _login(self, user: str) -> dict[str, str]:
        if user == "owner":
            return {"X-Argilla-Api-Key": self.owner_key, "Accept-Encoding": "identity"}
        form = {"username": user, "password": self.passwords[user]}
        token = httpx2.post(f"{self.url}/api/v1/token", data=form, trust_env=False).json()["access_token"]
        return {"Authorization": f"Bearer {token}"}


def processes_with(scratch: Path) -> set[int]:
    """The processes that have the directory in their environment or, like Redis, in their title."""
    return {
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and str(scratch) in _read(entry / "environ") + _read(entry / "cmdline")
    }


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""
