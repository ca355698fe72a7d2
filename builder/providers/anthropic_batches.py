"""Anthropic's message batches: requests up in one call, a stream of results down."""

import json
from collections.abc import AsyncGenerator, Sequence
from datetime import datetime, timedelta
from typing import Any

from builder.providers.anthropic_sdk import ERRORS, anthropic_call, anthropic_client
from builder.providers.anthropic_wire import from_anthropic, to_anthropic
from builder.providers.batch_lines import json_lines, mapping, read_result
from builder.providers.batches import CLOCKS_DIFFER, BatchState, Item, Limits, Sighting
from builder.providers.clock import now_text
from builder.providers.failures import STATUS_OF, filter_outcome, status_error
from builder.providers.protocol import CallError
from builder.providers.sdk_call import finished, opened
from schemas.chat import Completion


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

    async def find(self, tag: str, count: int, since: str) -> Sighting:  # noqa: ARG002 - the tag is not kept there
        """Batches of as many requests made since then, the nearest to it first: their results tell whose they are."""
        return await anthropic_call(lambda: self._alike(count, datetime.fromisoformat(since)))

    async def _alike(self, count: int, since: datetime) -> Sighting:
        found: list[tuple[timedelta, str]] = []
        async for batch in self._client.messages.batches.list(limit=100):
            if batch.created_at < since - CLOCKS_DIFFER:  # the newest come first
                break
            counts = batch.request_counts
            if counts.processing + _done(counts) == count:
                found.append((abs(batch.created_at - since), str(batch.id)))
        return Sighting(tuple(name for _, name in sorted(found)))

    async def state(self, batch_id: str) -> BatchState:
        """How far the batch is."""
        batch = await anthropic_call(lambda: self._client.messages.batches.retrieve(batch_id))
        return BatchState(batch.processing_status == "ended", _done(batch.request_counts))

    async def results(self, batch_id: str) -> AsyncGenerator[tuple[str, Completion | CallError], None]:
        """The results as they are streamed; after some weeks the provider has archived them."""
        batch = await anthropic_call(lambda: self._client.messages.batches.retrieve(batch_id))
        if batch.results_url is None:
            raise CallError("not_found", "it names no results, so they are archived or were never made")
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
    key = str(entry.get("custom_id"))
    return read_result(key, lambda: _completion(key, mapping(entry.get("result"))))


def _completion(key: str, result: dict[str, Any]) -> Completion:
    kind = result.get("type")
    if kind == "succeeded":
        message = mapping(result.get("message"))
        return finished(from_anthropic(message, key), message.get("id"))
    if kind != "errored":
        raise CallError("server", f"the batch ended without this request ({kind})", sent=False)
    body = mapping(result.get("error"))
    status = STATUS_OF.get(str(mapping(body.get("error")).get("type")), 400)
    outcome = filter_outcome(status, body)
    if outcome is None:
        raise status_error(status, body, {}, 0.0)
    return Completion(key, outcome, "", finished_at=now_text())


def _done(counts: Any) -> int:
    return sum(getattr(counts, name) or 0 for name in ("succeeded", "errored", "canceled", "expired"))


def _entry(item: Item) -> dict[str, Any]:
    return {"custom_id": item.key, "params": to_anthropic(item.request)}
