"""An environment of its own for each peer, made once and kept."""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent


class Peer(NamedTuple):
    """A neighbour that asks models: what to install, and the script that runs it."""

    name: str
    packages: tuple[str, ...]
    script: Path


PEERS = (
    Peer("curator", ("bespokelabs-curator",), HERE / "curator_client.py"),
    Peer("distilabel", ("distilabel[openai]", "openai<2", "requests"), HERE / "distilabel_client.py"),
    Peer("inspect-ai", ("inspect-ai", "openai"), HERE / "inspect_client.py"),
)


class PeerError(Exception):
    """A peer that cannot be installed or run; the message says why."""


def python_of(peer: Peer, work: Path) -> Path:
    """The interpreter of the peer's environment under `work`, made now if it is not there yet.

    Raises PeerError if it cannot be made.
    """
    place = work / peer.name
    python, ready = place / "bin" / "python", place / "ready"
    if ready.exists():
        return python
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *peer.packages]
    for command in ([sys.executable, "-m", "venv", "--clear", str(place)], pip):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise PeerError(f"cannot be installed: {_last_line(done.stderr)}")
    ready.touch()
    return python


def run_peer(peer: Peer, work: Path, url: str, calls: int, concurrency: int, scratch: Path) -> None:
    """Let the peer make so many calls. Raises PeerError if it fails or takes more than ten minutes."""
    command = [str(python_of(peer, work)), str(peer.script), url, str(calls), str(concurrency), str(scratch)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600, cwd=scratch)
    except subprocess.TimeoutExpired:
        raise PeerError("took more than ten minutes") from None
    if done.returncode != 0:
        raise PeerError(f"fails: {_last_line(done.stderr)}")


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip()[:200] if lines else "it says nothing"
