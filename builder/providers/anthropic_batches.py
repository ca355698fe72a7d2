"""Anthropic's message batches: requests up in one call, a stream of results down."""

import json
from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from builder.providers.anthropic_sdk import ERRORS, anthropic_call, anthropic_client
from builder.providers.anthropic_wire import from_anthropic, to_anthropic
from builder.providers.batch_lines import json_lines, mapping
from builder.providers.batches import BatchState, Item, Limits
from builder.providers.clock import now_text
from builder.providers.failures import filter_outcome, status_error
from builder.providers.protocol import CallError
from builder.providers.sdk_call import finished, opened
from schemas.chat import Completion

CLOCKS_DIFFER = timedelta(hours=1)
STATUS_OF = {"rate_limit_error": 429, "overloaded_error": 529, "authentication_error": 401, "api_error": 500}


class AnthropicBatches:
    """Message batches at Anthropic (or a server that speaks its protocol)."""

    limits = Limits(requests=100_000, bytes=250_000_000)

    def __init__(self, api_key: str, base_url: str | None, timeout_s: float) -> None:
        self._client = anthropic_client(api_key, base_url, timeout_s, 4)

    def size(self, item: Item) -> int:
        """Bytes of the item."""
        return len(json.dumps(_entry(item), ensure_ascii=False).encode())

    async def submit(self, items: Sequence[Item], tag: str) -> str:  # noqa: ARG002 - there is no place for a tag
        """Make a batch; its requests carry our keys as ids."""
        entries: list[Any] = [_entry(item) for item in items]
        batch = await anthropic_call(lambda: self._client.messages.batches.create(requests=entries))
        return str(batch.id)

    async def find(self, tag: str, count: int, since: str) -> str | None:  # noqa: ARG002 - the tag is not kept there
        """A batch of as many requests made since then. What it holds is proved by the ids of its results."""
        start = datetime.fromisoformat(since) - CLOCKS_DIFFER
        page = await anthropic_call(lambda: self._client.messages.batches.list(limit=100))
        async for batch in page:
            counts = batch.request_counts
            total = counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired
            if total == count and batch.created_at >= start:
                return str(batch.id)
        return None

    async def state(self, batch_id: str) -> BatchState:
        """How far the batch is."""
        batch = await anthropic_call(lambda: self._client.messages.batches.retrieve(batch_id))
        counts = batch.request_counts
        done = counts.succeeded + counts.errored + counts.canceled + counts.expired
        return BatchState(batch.processing_status == "ended", done)

    async def results(self, batch_id: str) -> AsyncIterator[tuple[str, Completion | CallError]]:
        """The results as they are streamed."""
        content = self._client.messages.batches.with_streaming_response.results(batch_id)
        async with opened(content, ERRORS) as response:
            async for entry in json_lines(response.iter_bytes()):
                yield read_entry(entry)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def read_entry(value: Any) -> tuple[str, Completion | CallError]:
    """(key, completion or error) of one result. Pure."""
    entry = mapping(value)
    key, result = str(entry.get("custom_id")), mapping(entry.get("result"))
    kind = result.get("type")
    if kind == "succeeded":
        try:
            message = mapping(result.get("message"))
            return key, finished(from_anthropic(message, key), message.get("id"))
        except CallError as error:
            return key, error
    if kind == "errored":
        body = mapping(result.get("error"))
        inner = mapping(body.get("error"))
        status = STATUS_OF.get(str(inner.get("type")), 400)
        outcome = filter_outcome(status, body)
        if outcome is not None:
            return key, Completion(key, outcome, "", finished_at=now_text())
        return key, status_error(status, body, {}, 0.0)
    return key, CallError("server", f"the batch ended without this request ({kind})")


def _entry(item: Item) -> dict[str, Any]:
    return {"custom_id": item.key, "params": to_anthropic(item.request)}
