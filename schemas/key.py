"""The one key: cache key, resume token and lineage of every completion."""

import hashlib
import json
from dataclasses import fields
from typing import Any

from schemas.chat import ChatRequest

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
_FIELDS = tuple(item.name for item in fields(ChatRequest))


def canonical_json(value: Any) -> str:
    """JSON with sorted keys, no spaces and no escapes beyond the required: one text a value.

    Raises ValueError for NaN and infinities, which JSON cannot hold.
    """
    return _ENCODER.encode(value)


def request_body(request: ChatRequest) -> dict[str, Any]:
    """The request as plain JSON values with every unset option left out.

    Leaving unset options out is what lets a later version add an option without renaming old work.
    """
    body: dict[str, Any] = {}
    for name in _FIELDS:
        value = getattr(request, name)
        if value is not None:
            body[name] = value
    body["messages"] = [{"role": message.role, "content": message.content} for message in request.messages]
    return body


def key_of(request: ChatRequest) -> str:
    """SHA-256 (64 hex digits) of the canonical JSON of the request, known before the call is made."""
    return hashlib.sha256(canonical_json(request_body(request)).encode()).hexdigest()


def digest(*parts: str) -> str:
    """SHA-256 (64 hex digits) of several texts; their borders count, so ("ab", "c") differs from ("a", "bc")."""
    return hashlib.sha256(canonical_json(list(parts)).encode()).hexdigest()
