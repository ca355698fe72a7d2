"""The results of a batch, line by line as they come: a broken line is a failed call, a cut stream an error."""

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import aiohttp
import httpx2

from builder.providers.protocol import UNREADABLE, CallError
from builder.providers.words import excerpt
from schemas.chat import Completion


def read_result(key: str, read: Callable[[], Completion]) -> tuple[str, Completion | CallError]:
    """The key and what `read` makes of its line; an unexpected shape is a failed call."""
    try:
        return key, read()
    except CallError as error:
        return key, error
    except UNREADABLE as error:
        return key, CallError("malformed", excerpt(f"the batch's line cannot be read: {type(error).__name__}: {error}"))


async def json_lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[Any]:
    """The value of each line; None for a line that is not JSON.

    Raises CallError if the stream breaks off; the lines that came before are out by then.
    """
    rest = b""
    try:
        async for chunk in chunks:
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if line.strip():
                    yield _value(line)
    except (aiohttp.ClientError, httpx2.HTTPError) as error:
        raise CallError("connection", excerpt(f"the results broke off: {error}")) from None
    if rest.strip():
        yield _value(rest)


def mapping(value: Any) -> dict[str, Any]:
    """The value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def _value(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
