"""Anthropic (or a server that speaks its protocol), through the `anthropic` SDK over aiohttp."""

import anthropic
import httpx2

from builder.providers.anthropic_wire import from_anthropic, to_anthropic
from builder.providers.sdk_call import SdkErrors, sdk_call
from schemas.chat import ChatRequest, Completion

ERRORS = SdkErrors(
    anthropic.APIStatusError, anthropic.APITimeoutError, anthropic.APIConnectionError, anthropic.APIError
)


class AnthropicProvider:
    """One server that speaks the messages protocol. Retries are the transport's, not the SDK's."""

    def __init__(self, api_key: str, base_url: str | None, timeout_s: float, connections: int) -> None:
        limits = httpx2.Limits(max_connections=connections, max_keepalive_connections=connections)
        http = anthropic.DefaultAioHttpClient(timeout=timeout_s, limits=limits)
        self._client = anthropic.AsyncAnthropic(
            api_key=api_key, base_url=base_url, timeout=timeout_s, max_retries=0, http_client=http
        )

    async def complete(self, request: ChatRequest, key: str) -> Completion:
        """The completion of the request. Raises CallError if there is none."""
        create = self._client.messages.with_raw_response.create
        return await sdk_call(lambda: create(**to_anthropic(request)), from_anthropic, ERRORS, key)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()
