"""Reading a failed HTTP call: which error it is, and whether it is in truth a filter that answered."""

import json
from collections.abc import Mapping
from typing import Any

from builder.providers.allowance import retry_after
from builder.providers.protocol import CallError, FailureKind
from builder.providers.secrets import without_secrets
from schemas.vocabulary import Outcome

INPUT_FILTER_CODES = frozenset(
    {
        "content_filter",
        "content_policy_violation",
        "moderation_blocked",
        "invalid_prompt",
        "bio_policy",
        "misalignment_policy_violation",
        "responsibleaipolicyviolation",
    }
)
OUTPUT_FILTER_PHRASES = ("output blocked by content filtering", "response was blocked by", "output was filtered")
INPUT_FILTER_PHRASES = (
    "content management policy",
    "violates our usage policy",
    "violating our usage policy",
    "flagged as potentially violating",
    "requires moderation",
    "input blocked by content filtering",
    "flagged by moderation",
    "blocked by our content policy",
)
MESSAGE_LIMIT = 500


def filter_outcome(status: int, body: Any) -> Outcome | None:
    """The outcome a 4xx stands for when it is a policy decision about the text, else None."""
    if status not in (400, 403, 422, 451):
        return None
    error = error_of(body)
    words = str(error.get("message", "")).lower()
    if any(phrase in words for phrase in OUTPUT_FILTER_PHRASES):
        return Outcome.OUTPUT_FILTERED
    metadata = error.get("metadata")
    moderated = isinstance(metadata, dict) and bool(metadata.get("reasons")) and "flagged_input" in metadata
    inner = error.get("innererror")
    codes = (error.get("code"), inner.get("code") if isinstance(inner, dict) else None)
    if moderated or any(str(code).lower() in INPUT_FILTER_CODES for code in codes):
        return Outcome.INPUT_FILTERED
    return Outcome.INPUT_FILTERED if any(phrase in words for phrase in INPUT_FILTER_PHRASES) else None


def status_error(status: int, body: Any, headers: Mapping[str, str], now: float) -> CallError:
    """The typed error of an HTTP status; `now` is the time in seconds since the epoch."""
    message = _redirect(status, headers) or str(error_of(body).get("message") or f"HTTP {status}")
    return CallError(
        _kind_of(status, error_of(body)),
        without_secrets(message[:MESSAGE_LIMIT]),
        status=status,
        retry_after_s=retry_after(headers, now),
    )


def error_in_body(error: dict[str, Any]) -> CallError:
    """The typed error that came inside HTTP 200: its code is a status, or OpenAI's word for one."""
    code = str(error.get("code") or error.get("type"))
    status = {"rate_limit_exceeded": 429, "server_error": 500}.get(
        code, int(code) if code.isdecimal() and len(code) == 3 else 500
    )
    message = str(error.get("message") or "an error inside HTTP 200")[:MESSAGE_LIMIT]
    return CallError(_kind_of(status, error), without_secrets(message))


def error_of(body: Any) -> dict[str, Any]:
    """The error object inside a provider's error body, whatever its wrapping; empty if there is none."""
    if isinstance(body, (bytes, str)):
        try:
            body = json.loads(body)
        except ValueError:
            return {"message": body if isinstance(body, str) else body.decode(errors="replace")}
    if not isinstance(body, dict):
        return {}
    inner = body.get("error", body)
    return inner if isinstance(inner, dict) else {"message": str(inner)}


def _redirect(status: int, headers: Mapping[str, str]) -> str | None:
    if not 300 <= status < 400:
        return None
    where = headers.get("location") or "another address, without naming it"
    return f"HTTP {status}: it redirects to {where}; keys are sent nowhere but to the address given: change that one"


def _kind_of(status: int, error: dict[str, Any]) -> FailureKind:
    if status == 429:
        exhausted = str(error.get("code") or error.get("type")) in ("insufficient_quota", "billing_hard_limit_reached")
        return "auth" if exhausted else "rate_limited"
    if status in (401, 402) or (status == 403):
        return "auth"
    if status == 404 or 300 <= status < 400:
        return "not_found"
    if status in (503, 529):
        return "overloaded"
    if status in (408, 409, 425) or status >= 500:
        return "server"
    return "rejected"
