"""OpenAI's batch API: a file of requests up, a batch made of it, files of results down."""

import json
from collections.abc import AsyncGenerator, Sequence
from datetime import datetime
from typing import Any, Literal

from builder.providers.batch_lines import json_lines, mapping, read_result
from builder.providers.batches import CLOCKS_DIFFER, BatchState, Item, Limits, Sighting
from builder.providers.clock import now_text
from builder.providers.failures import filter_outcome, status_error
from builder.providers.openai_apis import OpenAIApi
from builder.providers.openai_sdk import ERRORS, openai_call, openai_client
from builder.providers.openai_wire import from_openai, to_openai
from builder.providers.protocol import CallError
from builder.providers.responses_wire import from_responses, to_responses
from builder.providers.sdk_call import finished, opened
from builder.providers.words import excerpt
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

    async def find(self, tag: str, count: int, since: str) -> Sighting:  # noqa: ARG002 - the tag is enough here
        """The batch whose metadata hold the tag."""
        return await openai_call(lambda: self._tagged(tag, since))

    async def _tagged(self, tag: str, since: str) -> Sighting:
        start, before = (datetime.fromisoformat(since) - CLOCKS_DIFFER).timestamp(), 0.0
        async for batch in self._client.batches.list(limit=100):
            if (batch.metadata or {}).get("tag") == tag:
                return Sighting((str(batch.id),), proved=True)
            made = batch.created_at or 0
            if made < min(start, before):  # the newest come first, though nobody promises it: so two must say it
                break
            before = made
        return Sighting()

    async def state(self, batch_id: str) -> BatchState:
        """How far the batch is."""
        batch = await openai_call(lambda: self._client.batches.retrieve(batch_id))
        counts = batch.request_counts
        done = 0 if counts is None else (counts.completed or 0) + (counts.failed or 0)
        problems = batch.errors.data if batch.errors is not None and batch.errors.data else []
        error = "; ".join(str(problem.message) for problem in problems[:3])
        return BatchState(batch.status in ENDED, done, error or None)

    async def results(self, batch_id: str) -> AsyncGenerator[tuple[str, Completion | CallError], None]:
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
    return read_result(key, lambda: _completion(key, line))


def _completion(key: str, line: dict[str, Any]) -> Completion:
    response = mapping(line.get("response"))
    status, body = response.get("status_code"), response.get("body")
    if line.get("error") or not isinstance(status, int):
        words = mapping(line.get("error")).get("message", "no response in the batch's line")
        raise CallError("server", excerpt(str(words)), sent=False)
    if status == 200:
        return finished(_read(body, key), response.get("request_id"))
    outcome = filter_outcome(status, body)
    if outcome is None:
        raise status_error(status, body, {}, 0.0)
    return Completion(key, outcome, "", finished_at=now_text())


def _read(body: Any, key: str) -> Completion:
    is_response = isinstance(body, dict) and body.get("object") == "response"
    return from_responses(body, key) if is_response else from_openai(body, key)
