"""The Python environment Argilla's server runs in: its own, from a lock file, made once and kept in the user's cache.

Its pins (pydantic 2.9, huggingface_hub 1.13, …) cannot live beside those of this toolkit.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

LOCK = Path(__file__).with_name("server.lock")
PLUGIN = Path(__file__).with_name("plugin")
NEWEST = (3, 13)
MEGABYTES = 590

Say = Callable[[str], None]


class EnvironmentMissingError(Exception):
    """The server's environment cannot be made; the message says why and what to do."""


def server_python(say: Say) -> Path:
    """The interpreter of the server's environment, which is made on first use; `say` hears of the progress.

    Raises EnvironmentMissingError without a fitting Python, or when the packages cannot be installed.
    """
    home = _environment_directory()
    python = home / "bin" / "python"
    if (home / "ready").exists() and python.exists():
        return python
    home.parent.mkdir(parents=True, exist_ok=True)
    with _one_at_a_time(home.with_suffix(".lock")):
        if not ((home / "ready").exists() and python.exists()):
            say(f"Argilla's server is installed once, into {home} ({MEGABYTES} MB, about a minute)")
            _make(home, say)
    return python


def cache_directory() -> Path:
    """`REFUSAL_FORESIGHT_CACHE`, else this toolkit's part of the user's cache directory."""
    given = os.environ.get("REFUSAL_FORESIGHT_CACHE")
    if given:
        return Path(given).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "refusal-foresight"


def _environment_directory() -> Path:
    base = _base_python()
    name = f"{LOCK.read_text(encoding='utf-8')}{base}"
    return cache_directory() / f"argilla-server-{hashlib.sha256(name.encode()).hexdigest()[:12]}"


def _base_python() -> str:
    if sys.version_info[:2] <= NEWEST:
        return str(Path(sys.executable).resolve())
    for minor in (13, 12, 11):
        found = shutil.which(f"python3.{minor}")
        if found:
            return found
    raise EnvironmentMissingError(
        "Argilla's server needs Python 3.11, 3.12 or 3.13, and only a newer one was found: install python3.13"
    )


def _make(home: Path, say: Say) -> None:
    shutil.rmtree(home, ignore_errors=True)
    made = subprocess.run([_base_python(), "-m", "venv", str(home)], capture_output=True, text=True, check=False)
    if made.returncode:
        raise EnvironmentMissingError(
            f"Python cannot make environments: {_last_words(made.stdout + made.stderr)}. "
            "On Debian or Ubuntu: apt-get install python3-venv"
        )
    _install(home, say)
    (home / "ready").touch()


def _install(home: Path, say: Say) -> None:
    total = sum(1 for line in LOCK.read_text(encoding="utf-8").splitlines() if "==" in line)
    command = [str(home / "bin" / "python"), "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    command += ["--no-cache-dir", "--progress-bar", "off", "--no-deps", "--require-hashes", "-r", str(LOCK)]
    heard: list[str] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pip:
        for line in pip.stdout or ():
            heard.append(line.strip())
            if line.startswith("Collecting"):
                count = sum(one.startswith("Collecting") for one in heard)
                if count % 20 == 0:
                    say(f"  {count} of {total} packages fetched")
            elif line.startswith("Installing"):
                say("  unpacking")
    if pip.returncode:
        shutil.rmtree(home, ignore_errors=True)
        if pip.returncode < 0:
            raise EnvironmentMissingError(
                f"installing Argilla's server was ended by signal {-pip.returncode}: run again"
            )
        raise EnvironmentMissingError(
            f"Argilla's server could not be installed: {_last_words(chr(10).join(heard))}. "
            "It comes from PyPI: check the network and the proxy settings of pip, then run the command again"
        )


def _last_words(output: str) -> str:
    lines = [line for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    return (errors or lines or ["no message"])[-1].strip()


@contextmanager
def _one_at_a_time(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
