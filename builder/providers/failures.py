"""Reading a failed HTTP call: which error it is, and whether it is in truth a filter that answered."""

import json
from collections.abc import Mapping
from typing import Any

from builder.providers.allowance import retry_after
from builder.providers.protocol import CallError, FailureKind
from builder.providers.words import excerpt
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
STATUS_OF = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "invalid_api_key": 401,
    "billing_error": 402,
    "permission_error": 403,
    "model_not_found": 404,
    "not_found_error": 404,
    "request_too_large": 413,
    "billing_hard_limit_reached": 429,
    "insufficient_quota": 429,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "api_error": 500,
    "server_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
MESSAGE_LIMIT = 500


def filter_outcome(status: int, body: Any) -> Outcome | None:
    """The outcome a 4xx stands for when it is a policy decision about the text, else None."""
    if status not in (400, 403, 422, 451):
        return None
    error = error_of(body)
    words = _said(error.get("message")).lower()
    if any(phrase in words for phrase in OUTPUT_FILTER_PHRASES):
        return Outcome.OUTPUT_FILTERED
    metadata = error.get("metadata")
    moderated = isinstance(metadata, dict) and bool(metadata.get("reasons")) and "flagged_input" in metadata
    inner = error.get("innererror")
    codes = (error.get("code"), inner.get("code") if isinstance(inner, dict) else None)
    if moderated or any(_said(code).lower() in INPUT_FILTER_CODES for code in codes):
        return Outcome.INPUT_FILTERED
    return Outcome.INPUT_FILTERED if any(phrase in words for phrase in INPUT_FILTER_PHRASES) else None


def status_error(status: int, body: Any, headers: Mapping[str, str], now: float) -> CallError:
    """The typed error of an HTTP status; `now` is the time in seconds since the epoch."""
    error = error_of(body)
    message = _redirect(status, headers) or _said(error.get("message")) or f"HTTP {status}"
    return CallError(
        _kind_of(status, error), excerpt(message, MESSAGE_LIMIT), status=status, retry_after_s=retry_after(headers, now)
    )


def outcome_in_body(error: dict[str, Any]) -> Outcome:
    """The outcome that an error inside HTTP 200 stands for. Raises CallError if it is no policy decision.

    What kind of error it is, its code or type says: a status, or a provider's word for one.
    """
    outcome = filter_outcome(400, error)
    if outcome is None:
        message = _said(error.get("message")) or "an error inside HTTP 200"
        raise CallError(_kind_of(_status_in(error), error), excerpt(message, MESSAGE_LIMIT))
    return outcome


def error_of(body: Any) -> dict[str, Any]:
    """The error object inside a provider's error body, whatever its wrapping; empty if there is none."""
    if isinstance(body, (bytes, str)):
        try:
            body = json.loads(body)
        except (ValueError, RecursionError):
            return {"message": body if isinstance(body, str) else body.decode(errors="replace")}
    if not isinstance(body, dict):
        return {}
    inner = body.get("error", body)
    return inner if isinstance(inner, dict) else {"message": _said(inner)}


def _said(value: Any) -> str:
    try:
        return "" if value is None else str(value)
    except RecursionError:  # a body may nest just so deep that it can be read but not be written
        return ""


def _status_in(error: dict[str, Any]) -> int:
    for word in (_said(error.get("code")), _said(error.get("type"))):
        if word in STATUS_OF:
            return STATUS_OF[word]
        if len(word) == 3 and word.isdecimal() and int(word) >= 400:
            return int(word)
    return 500


def _redirect(status: int, headers: Mapping[str, str]) -> str | None:
    if not 300 <= status < 400:
        return None
    where = headers.get("location") or "another address, without naming it"
    return f"HTTP {status}: it redirects to {where}; keys are sent nowhere but to the address given: change that one"


def _kind_of(status: int, error: dict[str, Any]) -> FailureKind:
    if status == 429:
        exhausted = _said(error.get("code") or error.get("type")) in (
            "insufficient_quota",
            "billing_hard_limit_reached",
        )
        return "auth" if exhausted else "rate_limited"
    if status in (401, 402, 403):
        return "auth"
    if status == 404 or 300 <= status < 400:
        return "not_found"
    if status in (503, 529):
        return "overloaded"
    if status in (408, 409, 425) or status >= 500:
        return "server"
    return "rejected"
