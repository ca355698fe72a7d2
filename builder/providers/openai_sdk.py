"""OpenAI, Together, OpenRouter, local and other compatible servers, through the `openai` SDK over aiohttp."""

import httpx2
import openai

from builder.providers.openai_wire import from_openai, to_openai
from builder.providers.sdk_call import SdkErrors, sdk_call
from schemas.chat import ChatRequest, Completion

ERRORS = SdkErrors(openai.APIStatusError, openai.APITimeoutError, openai.APIConnectionError, openai.APIError)


class OpenAIProvider:
    """One server that speaks the chat-completions protocol. Retries are the transport's, not the SDK's."""

    def __init__(self, api_key: str, base_url: str | None, timeout_s: float, connections: int) -> None:
        limits = httpx2.Limits(max_connections=connections, max_keepalive_connections=connections)
        http = openai.DefaultAioHttpClient(timeout=timeout_s, limits=limits)
        self._client = openai.AsyncOpenAI(
            api_key=api_key, base_url=base_url, timeout=timeout_s, max_retries=0, http_client=http
        )

    async def complete(self, request: ChatRequest, key: str) -> Completion:
        """The completion of the request. Raises CallError if there is none."""
        create = self._client.chat.completions.with_raw_response.create
        return await sdk_call(lambda: create(**to_openai(request)), from_openai, ERRORS, key)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()
