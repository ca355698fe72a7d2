"""A server's home directory: the database, the logs, and the secrets that must outlive a restart."""

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Role = Literal["owner", "admin", "annotator"]


@dataclass(frozen=True, slots=True)
class Account:
    """A person who may log in, and the workspaces they see. An owner sees all."""

    name: str
    role: Role
    workspaces: tuple[str, ...] = ()
    new_password: bool = False


@dataclass(frozen=True, slots=True)
class Secrets:
    """What signs the logins, and the owner's API key. Passwords are not among it: they are shown once and not kept."""

    signing_key: str
    owner_api_key: str


@dataclass(frozen=True, slots=True)
class Home:
    """The directory of one server."""

    path: Path

    @property
    def database(self) -> Path:
        """Argilla's SQLite file: everything people did. A backup is a copy of it (see docs/coordinating.md)."""
        return self.path / "argilla.db"

    def prepare(self) -> Secrets:
        """Make the directory, readable for its owner alone; returns its secrets, drawn on first use."""
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = self.path / "secrets.json"
        if not file.exists():
            drawn = {"signing_key": secrets.token_hex(32), "owner_api_key": secrets.token_urlsafe(32)}
            _write_private(file, drawn)
        return Secrets(**json.loads(file.read_text(encoding="utf-8")))

    def announce(self, url: str) -> None:
        """Leave word of where the server can be reached."""
        _write_private(self.path / "address.json", {"url": url})

    def address(self) -> str | None:
        """Where this server was last reached, or None if it never ran."""
        file = self.path / "address.json"
        return json.loads(file.read_text(encoding="utf-8"))["url"] if file.exists() else None

    def log(self, name: str) -> Path:
        """The log of one of the server's processes."""
        return self.path / f"{name}.log"


def _write_private(file: Path, content: Mapping[str, str]) -> None:
    fresh = file.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        json.dump(content, out)
    fresh.replace(file)
