"""When an answer came and how long it took: the one place where a call reads the time."""

import time
from dataclasses import replace
from datetime import UTC, datetime

from schemas.chat import Completion


def now_text() -> str:
    """The time now, UTC, ISO 8601 to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def stamped(completion: Completion, started: float, request_id: str | None) -> Completion:
    """The completion with its latency since `started` (a `time.monotonic()`), the time and the provider's id."""
    latency = round(time.monotonic() - started, 4)
    return replace(completion, latency_s=latency, finished_at=now_text(), request_id=request_id)
