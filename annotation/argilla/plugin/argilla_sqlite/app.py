# mypy: disable-error-code="import-not-found"
"""Argilla's own application with the search engine registered, and a browser kept from calling anywhere else."""

from typing import Any

import argilla_server
from argilla_server.database import async_engine

from . import engine as engine

# Argilla's pages ask Google for fonts and would load any image a text names. While people label, nothing leaves.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; frame-src 'self' data: blob:; "
    "worker-src 'self' blob:; object-src 'none'; form-action 'self'; base-uri 'self'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-dns-prefetch-control", b"off"),
]


async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """The ASGI application."""

    async def send_with_policy(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *HEADERS]}
        await send(message)

    await argilla_server.app(scope, receive, send_with_policy)
    if scope["type"] == "lifespan":
        # Each open connection is a thread that would keep the process from ending.
        await async_engine.dispose()
