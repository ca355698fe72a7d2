"""Rate-limit headers of every provider, as seconds and counts, whatever the clocks say."""

from collections.abc import Mapping

import pytest

from builder.providers.allowance import Allowance, Window, allowance_of, retry_after, seconds_until

NOW = 1_800_000_000.0  # 2027-01-15T08:00:00Z


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("12ms", 0.012),
        ("1s", 1),
        ("1.5s", 1.5),
        ("6m0s", 360),
        ("1h2m3s", 3723),
        ("2m59.56s", 179.56),
        ("1d2h", 86_400),
        ("7", 7),
        ("0", 0),
        ("2027-01-15T08:00:30Z", 30),
        ("2027-01-15T07:59:00Z", 0),
        (str(int(NOW) + 9), 9),
        (str(int(NOW * 1000) + 9000), 9),
        ("", None),
        (None, None),
        ("soon", None),
        ("-3", None),
        ("nan", None),
    ],
)
def test_a_reset_is_read_as_seconds_from_now(text: str | None, seconds: float | None) -> None:
    assert seconds_until(text, NOW) == (None if seconds is None else pytest.approx(seconds))


OPENAI = {
    "x-ratelimit-limit-requests": "500",
    "x-ratelimit-remaining-requests": "499",
    "x-ratelimit-reset-requests": "120ms",
    "x-ratelimit-remaining-tokens": "29000",
    "x-ratelimit-reset-tokens": "2s",
}
ANTHROPIC = {
    "date": "Fri, 15 Jan 2027 09:00:00 GMT",
    "anthropic-ratelimit-requests-remaining": "3",
    "anthropic-ratelimit-requests-reset": "2027-01-15T09:00:12Z",
    "anthropic-ratelimit-tokens-remaining": "4000",
    "anthropic-ratelimit-tokens-reset": "2027-01-15T09:00:20Z",
}
TOGETHER = {"x-ratelimit-remaining": "9", "x-ratelimit-reset": "1", "x-tokenlimit-remaining": "-1"}
OPENROUTER = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW * 1000) + 5000)}
UNLIMITED = {"x-ratelimit-remaining-tokens": "-1", "x-ratelimit-reset-tokens": "0"}


@pytest.mark.parametrize(
    ("headers", "allowance"),
    [
        (OPENAI, Allowance(Window(499, 0.12), Window(29_000, 2))),
        (ANTHROPIC, Allowance(Window(3, 12), Window(4000, 20))),
        (TOGETHER, Allowance(Window(9, 1), None)),
        (OPENROUTER, Allowance(Window(0, 5), None)),
        (UNLIMITED, None),
        ({}, None),
        ({"x-ratelimit-remaining-requests": "4"}, None),
    ],
)
def test_an_allowance_is_read_from_each_provider_s_headers(
    headers: Mapping[str, str], allowance: Allowance | None
) -> None:
    assert allowance_of(headers, NOW) == allowance


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Fri, 15 Jan 2027 08:00:40 GMT"}, 40),
        ({"retry-after": "Fri, 15 Jan 2027 11:00:40 GMT", "date": "Fri, 15 Jan 2027 11:00:00 GMT"}, 40),
        ({"retry-after": "Fri, 15 Jan 2027 11:00:40 GMT"}, 60),
        ({"retry-after": "Fri, 15 Jan 2027 07:00:00 GMT"}, 0),
        ({"retry-after": "172800"}, 86_400),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, None),
        ({}, None),
    ],
)
def test_the_wait_a_server_asks_for_is_read_by_its_own_clock(headers: Mapping[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds
