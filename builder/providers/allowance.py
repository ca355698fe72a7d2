"""What a server says of its rate limits in the headers of an answer. Pure: the time is an argument."""

import re
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

DURATION = re.compile(
    r"(?:(?P<d>\d+)d)?(?:(?P<h>\d+)h)?(?:(?P<m>\d+)m(?!s))?(?:(?P<s>\d+(?:\.\d+)?)s)?(?:(?P<ms>\d+(?:\.\d+)?)ms)?"
)
SECONDS_OF = {"d": 86_400.0, "h": 3_600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
DAY_S = 86_400.0
YEAR_2001_S = 1e9
LONGEST_UNCHECKED_S = 60.0
MOST_REMAINING = 1e15
NO_TIME = (ValueError, OverflowError, OSError, TypeError, IndexError)  # what dates of strange numbers raise
REQUESTS = (
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    ("anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"),
    ("x-ratelimit-remaining", "x-ratelimit-reset"),
)
TOKENS = (
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
    ("anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"),
    ("x-tokenlimit-remaining", "x-tokenlimit-reset"),
)


class Window(NamedTuple):
    """`remaining` requests or tokens are allowed within the next `reset_s` seconds."""

    remaining: int
    reset_s: float


class Allowance(NamedTuple):
    """What is left of the limits a server told; None where it told none."""

    requests: Window | None = None
    tokens: Window | None = None


def allowance_of(headers: Mapping[str, str], now: float) -> Allowance | None:
    """The allowance in the headers of OpenAI, Anthropic, Together and OpenRouter; None if they hold none.

    `now` is the time in seconds since the epoch; times of day are counted from the server's own `date` where it
    sends one, so that a wrong clock here does no harm.
    """
    requests, tokens = _window(headers, REQUESTS, now), _window(headers, TOKENS, now)
    return None if requests is None and tokens is None else Allowance(requests, tokens)


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds the provider asks to wait, from `retry-after-ms`, `retry-after` (seconds or a date); None if unsaid.

    At most a day; at most a minute if it is a date and the server does not say what time it is there.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return min(DAY_S, milliseconds / 1000)
    said = headers.get("retry-after")
    seconds = _number(said)
    if seconds is not None:
        return min(DAY_S, seconds)
    date = _http_date(said)
    if date is None:
        return None
    longest = LONGEST_UNCHECKED_S if _http_date(headers.get("date")) is None else DAY_S
    return min(longest, max(0.0, date - server_time(headers, now)))


def server_time(headers: Mapping[str, str], now: float) -> float:
    """The server's time in seconds since the epoch, by its `date` header; `now` if it sends none."""
    return _http_date(headers.get("date")) or now


def seconds_until(text: str | None, now: float) -> float | None:
    """Seconds from `now` to what a reset header says, or None if it says nothing readable.

    It may be a duration (`6m0s`, `1s`, `12ms`), seconds, a time of day (RFC 3339), or seconds or milliseconds since the
    epoch.
    """
    if not text:
        return None
    number = _number(text)
    if number is not None:
        if number >= YEAR_2001_S:
            number = (number / 1000 if number >= YEAR_2001_S * 1000 else number) - now
        return min(DAY_S, max(0.0, number))
    found = DURATION.fullmatch(text.strip())
    if found and found.group():
        parts = {unit: float(value) for unit, value in found.groupdict().items() if value}
        return min(DAY_S, sum(value * SECONDS_OF[unit] for unit, value in parts.items()))
    try:
        return min(DAY_S, max(0.0, datetime.fromisoformat(text.strip()).timestamp() - now))
    except NO_TIME:
        return None


def _window(headers: Mapping[str, str], names: tuple[tuple[str, str], ...], now: float) -> Window | None:
    for remaining_name, reset_name in names:
        remaining = _number(headers.get(remaining_name))
        if remaining is not None:
            reset_s = seconds_until(headers.get(reset_name), server_time(headers, now))
            if reset_s is not None:
                return Window(int(min(remaining, MOST_REMAINING)), reset_s)
    return None


def _http_date(text: str | None) -> float | None:
    try:
        return None if text is None else parsedate_to_datetime(text).timestamp()
    except NO_TIME:
        return None


def _number(text: str | None) -> float | None:
    try:
        value = float(text) if text is not None else None
    except ValueError:
        return None
    return value if value is not None and 0 <= value < float("inf") else None
