"""OpenAI, Together, OpenRouter, local and other compatible servers, through the `openai` SDK over aiohttp."""

import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

import httpx2
import openai

from builder.providers.allowance import Allowance
from builder.providers.http_client import PlainClient
from builder.providers.openai_apis import OpenAIApi
from builder.providers.openai_wire import from_openai, to_openai
from builder.providers.responses_wire import from_responses, to_responses
from builder.providers.sdk_call import SdkCalls, SdkErrors, typed_errors
from schemas.chat import ChatRequest, Completion

Value = TypeVar("Value")
OPENAI_HOST = re.compile(r"(?:[\w-]+\.)?api\.openai\.com")  # also its regions
ERRORS = SdkErrors(openai.APIStatusError, openai.APITimeoutError, openai.APIConnectionError, openai.APIError)


class LiveClient(PlainClient, openai.DefaultAioHttpClient):
    """What live calls go through."""


def openai_client(
    api_key: str,
    base_url: str | None,
    timeout_s: float,
    connections: int,
    client: type[httpx2.AsyncClient] = openai.DefaultAioHttpClient,
) -> openai.AsyncOpenAI:
    """The SDK's client over aiohttp, without retries of its own.

    The organisation and the project that the SDK finds in the environment are OpenAI's: no other server is told them.
    """
    limits = httpx2.Limits(max_connections=connections, max_keepalive_connections=connections)
    http = client(timeout=timeout_s, limits=limits)
    made = openai.AsyncOpenAI(api_key=api_key, base_url=base_url, timeout=timeout_s, max_retries=0, http_client=http)
    if not OPENAI_HOST.fullmatch(made.base_url.host):
        made.organization = made.project = None
    return made


async def openai_call(call: Callable[[], Awaitable[Value]]) -> Value:
    """What the SDK returns. Raises CallError for every error of the SDK."""
    return await typed_errors(call, ERRORS)


class OpenAIProvider:
    """One server that speaks chat completions or, with `api`, responses. Retries are the transport's, not the SDK's."""

    def __init__(
        self, api_key: str, base_url: str | None, timeout_s: float, connections: int, api: OpenAIApi = "chat"
    ) -> None:
        self._api = api
        self._client = openai_client(api_key, base_url, timeout_s, connections, LiveClient)
        self._chat_url = f"{str(self._client.base_url).rstrip('/')}/chat/completions"
        self._calls = SdkCalls(ERRORS, timeout_s)

    @property
    def allowance(self) -> Allowance | None:
        """What the server said of its rate limits with the last answer."""
        return self._calls.allowance

    async def complete(self, request: ChatRequest, key: str) -> Completion:
        """The completion of the request. Raises CallError if there is none."""
        if self._api == "responses":
            create = self._client.responses.with_raw_response.create
            params = to_responses(request)
            read = partial(from_responses, max_tokens=request.max_tokens)
            return await self._calls.ask(lambda: create(**params), read, key)
        body = to_openai(request)
        post = self._client.post  # the typed method walks every message twice, which costs as much as the call itself
        return await self._calls.ask(lambda: post(self._chat_url, cast_to=httpx2.Response, body=body), from_openai, key)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()
