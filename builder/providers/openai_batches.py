"""OpenAI's batch API: a file of requests up, a batch made of it, files of results down."""

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any, Literal

from builder.providers.batch_lines import json_lines, mapping
from builder.providers.batches import BatchState, Item, Limits
from builder.providers.clock import now_text
from builder.providers.failures import filter_outcome, status_error
from builder.providers.openai_apis import OpenAIApi
from builder.providers.openai_sdk import ERRORS, openai_call, openai_client
from builder.providers.openai_wire import from_openai, to_openai
from builder.providers.protocol import CallError
from builder.providers.responses_wire import from_responses, to_responses
from builder.providers.sdk_call import finished, opened
from schemas.chat import Completion

Endpoint = Literal["/v1/chat/completions", "/v1/responses"]
ENDPOINTS: dict[OpenAIApi, Endpoint] = {"chat": "/v1/chat/completions", "responses": "/v1/responses"}
ENDED = frozenset({"completed", "expired", "cancelled", "failed"})


class OpenAIBatches:
    """Batches at OpenAI (or a server that speaks its protocol)."""

    limits = Limits(requests=50_000, bytes=190_000_000)

    def __init__(self, api_key: str, base_url: str | None, timeout_s: float, api: OpenAIApi = "chat") -> None:
        self._api = api
        self._client = openai_client(api_key, base_url, timeout_s, 4)

    def size(self, item: Item) -> int:
        """Bytes of the item's line."""
        return len(self._line(item))

    async def submit(self, items: Sequence[Item], tag: str) -> str:
        """Upload the requests and make a batch of them; the tag goes into its metadata."""
        content = b"".join(self._line(item) for item in items)
        files = self._client.files
        file = await openai_call(lambda: files.create(file=(f"{tag}.jsonl", content), purpose="batch"))
        batch = await openai_call(
            lambda: self._client.batches.create(
                completion_window="24h", endpoint=ENDPOINTS[self._api], input_file_id=file.id, metadata={"tag": tag}
            )
        )
        return str(batch.id)

    async def find(self, tag: str, count: int, since: str) -> str | None:  # noqa: ARG002 - the tag is enough here
        """The batch whose metadata hold the tag."""
        page = await openai_call(lambda: self._client.batches.list(limit=100))
        async for batch in page:
            if (batch.metadata or {}).get("tag") == tag:
                return str(batch.id)
        return None

    async def state(self, batch_id: str) -> BatchState:
        """How far the batch is."""
        batch = await openai_call(lambda: self._client.batches.retrieve(batch_id))
        counts = batch.request_counts
        done = 0 if counts is None else counts.completed + counts.failed
        problems = batch.errors.data if batch.errors is not None and batch.errors.data else []
        error = "; ".join(str(problem.message) for problem in problems[:3])
        return BatchState(batch.status in ENDED, done, error or None)

    async def results(self, batch_id: str) -> AsyncIterator[tuple[str, Completion | CallError]]:
        """The lines of the output file and of the error file."""
        batch = await openai_call(lambda: self._client.batches.retrieve(batch_id))
        for file_id in (batch.output_file_id, batch.error_file_id):
            if file_id is not None:
                content = self._client.files.with_streaming_response.content(file_id)
                async with opened(content, ERRORS) as response:
                    async for line in json_lines(response.iter_bytes()):
                        yield read_line(line)

    def _line(self, item: Item) -> bytes:
        body = to_responses(item.request) if self._api == "responses" else to_openai(item.request)
        line = {"custom_id": item.key, "method": "POST", "url": ENDPOINTS[self._api], "body": body}
        return json.dumps(line, ensure_ascii=False).encode() + b"\n"

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def read_line(value: Any) -> tuple[str, Completion | CallError]:
    """(key, completion or error) of one line of results. Pure."""
    line = mapping(value)
    key = str(line.get("custom_id"))
    response = mapping(line.get("response"))
    status, body = response.get("status_code"), response.get("body")
    if line.get("error") or not isinstance(status, int):
        words = mapping(line.get("error")).get("message", "no response in the batch's line")
        return key, CallError("server", str(words)[:300])
    if status != 200:
        outcome = filter_outcome(status, body)
        if outcome is not None:
            return key, Completion(key, outcome, "", finished_at=now_text())
        return key, status_error(status, body, {}, 0.0)
    try:
        return key, finished(_read(body, key), response.get("request_id"))
    except CallError as error:
        return key, error


def _read(body: Any, key: str) -> Completion:
    is_response = isinstance(body, dict) and body.get("object") == "response"
    return from_responses(body, key) if is_response else from_openai(body, key)
