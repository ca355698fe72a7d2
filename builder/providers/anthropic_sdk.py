"""Anthropic (or a server that speaks its protocol), through the `anthropic` SDK over aiohttp."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import anthropic
import httpx2

from builder.providers.allowance import Allowance
from builder.providers.anthropic_wire import from_anthropic, to_anthropic
from builder.providers.http_client import PlainClient
from builder.providers.sdk_call import SdkCalls, SdkErrors, typed_errors
from schemas.chat import ChatRequest, Completion

Value = TypeVar("Value")
ERRORS = SdkErrors(
    anthropic.APIStatusError, anthropic.APITimeoutError, anthropic.APIConnectionError, anthropic.APIError
)


class LiveClient(PlainClient, anthropic.DefaultAioHttpClient):
    """What live calls go through."""


def anthropic_client(
    api_key: str,
    base_url: str | None,
    timeout_s: float,
    connections: int,
    client: type[httpx2.AsyncClient] = anthropic.DefaultAioHttpClient,
) -> anthropic.AsyncAnthropic:
    """The SDK's client over aiohttp, without retries of its own."""
    limits = httpx2.Limits(max_connections=connections, max_keepalive_connections=connections)
    http = client(timeout=timeout_s, limits=limits)
    return anthropic.AsyncAnthropic(
        api_key=api_key, base_url=base_url, timeout=timeout_s, max_retries=0, http_client=http
    )


async def anthropic_call(call: Callable[[], Awaitable[Value]]) -> Value:
    """What the SDK returns. Raises CallError for every error of the SDK."""
    return await typed_errors(call, ERRORS)


class AnthropicProvider:
    """One server that speaks the messages protocol. Retries are the transport's, not the SDK's."""

    def __init__(self, api_key: str, base_url: str | None, timeout_s: float, connections: int) -> None:
        self._client = anthropic_client(api_key, base_url, timeout_s, connections, LiveClient)
        self._messages_url = f"{str(self._client.base_url).rstrip('/')}/v1/messages"
        self._calls = SdkCalls(ERRORS, timeout_s)

    @property
    def allowance(self) -> Allowance | None:
        """What the server said of its rate limits with the last answer."""
        return self._calls.allowance

    async def complete(self, request: ChatRequest, key: str) -> Completion:
        """The completion of the request. Raises CallError if there is none."""
        body = to_anthropic(request)
        post = self._client.post  # the typed method walks every message twice, which costs as much as the call itself
        return await self._calls.ask(
            lambda: post(self._messages_url, cast_to=httpx2.Response, body=body), from_anthropic, key
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()
