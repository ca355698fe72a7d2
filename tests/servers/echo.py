"""A server that writes the caller's API key into everything it says, and a search for keys in all a run left behind."""

import json
import sqlite3
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from aiohttp import web

from tests.servers.chat_server import Reply


def key_of_call(request: web.Request) -> str:
    """The API key a call came with."""
    return request.headers.get("x-api-key") or request.headers.get("authorization", "").removeprefix("Bearer ")


def told(reply: Reply, secret: str) -> Reply:
    """The reply with the key in its ids, its model and its text."""
    body = json.loads(json.dumps(reply.body))
    body |= {"id": f"id-{secret}", "system_fingerprint": secret, "model": f"m-{secret}"}
    for choice in body.get("choices", ()):
        choice["message"]["content"] = _with(choice["message"]["content"], secret)
    for block in body.get("content", ()):
        block["text"] = _with(block["text"], secret)
    return Reply(body, headers={"x-request-id": secret, "request-id": secret})


def _with(text: str, secret: str) -> str:
    return text if text.startswith("{") else f"{text} Your key is {secret}, by the way."


def traces(places: Sequence[Path], secrets: Sequence[str]) -> list[str]:
    """The files under the places whose name or content, unpacked, holds one of the secrets."""
    files = sorted(file for place in places for file in place.rglob("*") if file.is_file())
    contents = [(path, f"{path}\n{path.read_bytes().decode('latin-1')}") for path in files]
    contents += [(path, repr(pq.read_table(path).to_pylist())) for path in files if path.suffix == ".parquet"]
    contents += [(path, "\n".join(_unpacked(path))) for path in files if path.suffix == ".sqlite"]
    return [f"{path}: {secret}" for path, content in contents for secret in secrets if secret in content]


def _unpacked(path: Path) -> list[str]:
    database = sqlite3.connect(path)
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    rows: list[Any] = [row for name in names for row in database.execute(f"SELECT * FROM {name}")]  # noqa: S608
    database.close()
    return [_plain(value) for row in rows for value in row]


def _plain(value: Any) -> str:
    return zlib.decompress(value).decode() if isinstance(value, bytes) else str(value)
