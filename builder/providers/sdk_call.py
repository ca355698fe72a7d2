"""One call through a provider's SDK: its answer read, its errors made ours. Both SDKs are generated alike."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

import aiohttp
import httpx2

from builder.providers.allowance import Allowance, allowance_of, retry_after
from builder.providers.clock import now_text, stamped
from builder.providers.failures import filter_outcome, status_error
from builder.providers.protocol import UNREADABLE, CallError
from builder.providers.words import excerpt, well_formed
from schemas.chat import Completion

Value = TypeVar("Value")
ALSO_RAISED = (aiohttp.ClientError, httpx2.HTTPError, ValueError, RecursionError)  # the SDKs let these through
TEXTS = ("text", "stop_reason", "served_model", "fingerprint", "request_id")
TOO_SLOW = "no answer within the time limit of a call"


class SdkErrors(NamedTuple):
    """The error classes of an SDK, from the most particular to the base of all."""

    status: type[Exception]
    timeout: type[Exception]
    connection: type[Exception]
    base: type[Exception]


@dataclass(slots=True)
class SdkCalls:
    """The calls of one client: each within `timeout_s`, from its start to the last byte of its answer.

    `allowance` is what the call told that ended last; None if that had no answer, or one that told none.
    """

    errors: SdkErrors
    timeout_s: float
    allowance: Allowance | None = None

    async def ask(
        self, create: Callable[[], Awaitable[Any]], read: Callable[[Any, str], Completion], key: str
    ) -> Completion:
        """The completion `read` finds in the raw response that `create` returns, with time and ids.

        A 4xx that is a policy decision about the text becomes an outcome; everything else raises CallError.
        """
        started = time.monotonic()
        try:
            async with asyncio.timeout(self.timeout_s):
                raw = await create()
        except self.errors.status as error:
            self._hear(_headers(error))
            outcome = filter_outcome(_status(error), _body(error))
            if outcome is None:
                raise _call_error(error, self.errors) from None
            return _storable(stamped(Completion(key, outcome, ""), started, getattr(error, "request_id", None)))
        except (self.errors.base, *ALSO_RAISED, TimeoutError) as error:
            self.allowance = None
            raise _call_error(error, self.errors) from None
        headers = self._hear(raw.headers)
        completion = _completion(raw.content, headers, read, key)
        return _storable(stamped(completion, started, headers.get("x-request-id") or headers.get("request-id")))

    def _hear(self, headers: Mapping[str, str]) -> dict[str, str]:
        plain = dict(headers.items())  # a look-up in the SDK's headers costs twenty in a dict
        self.allowance = allowance_of(plain, time.time())
        return plain


async def typed_errors(call: Callable[[], Awaitable[Value]], errors: SdkErrors) -> Value:
    """What the call returns; every error of the SDK becomes a CallError."""
    try:
        value = await call()
    except (errors.base, *ALSO_RAISED) as error:
        raise _call_error(error, errors) from None
    if isinstance(value, str):
        raise CallError("malformed", f"the answer is not JSON: {excerpt(value, 100)}")
    return value


@asynccontextmanager
async def opened(context: AbstractAsyncContextManager[Value], errors: SdkErrors) -> AsyncIterator[Value]:
    """The response that `context` opens, while the block runs; every error of the SDK becomes a CallError."""
    try:
        async with context as response:
            yield response
    except (errors.base, aiohttp.ClientError, httpx2.HTTPError) as error:
        raise _call_error(error, errors) from None


def finished(completion: Completion, request_id: object) -> Completion:
    """A completion that came in a batch: well-formed texts, the time it was read, no latency."""
    name = request_id if isinstance(request_id, str) else None
    return _storable(replace(completion, finished_at=now_text(), request_id=name))


def _completion(
    content: bytes, headers: Mapping[str, str], read: Callable[[Any, str], Completion], key: str
) -> Completion:
    try:
        body = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise CallError("malformed", excerpt(f"the answer is not JSON: {error}")) from None
    try:
        return read(body, key)
    except CallError as error:
        error.retry_after_s = retry_after(headers, time.time())
        raise
    except UNREADABLE as error:
        words = excerpt(f"the answer cannot be read: {type(error).__name__}: {error}")
        raise CallError("malformed", words) from None


def _storable(completion: Completion) -> Completion:
    told = ((name, getattr(completion, name)) for name in TEXTS)
    odd: dict[str, Any] = {name: well_formed(text) for name, text in told if text and not text.isascii()}
    return replace(completion, **odd) if odd else completion


def _call_error(error: Exception, errors: SdkErrors) -> CallError:
    if isinstance(error, errors.status):
        return status_error(_status(error), _body(error), _headers(error), time.time())
    if isinstance(error, errors.connection):
        return _connection_error(error, timed_out=isinstance(error, errors.timeout))
    if isinstance(error, TimeoutError):
        return CallError("timeout", TOO_SLOW)
    if isinstance(error, (aiohttp.ClientError, httpx2.HTTPError)):
        return CallError("connection", excerpt(f"the connection failed: {error}"))
    return CallError("malformed", excerpt(f"the answer is not JSON: {error}"))


def _headers(error: Exception) -> Mapping[str, str]:
    found: Mapping[str, str] = getattr(error, "response").headers  # noqa: B009 - both SDKs have it, under no common type
    return found


def _status(error: Exception) -> int:
    return int(getattr(error, "status_code", 0))


def _body(error: Exception) -> object:
    return getattr(error, "body", None)


def _connection_error(error: Exception, *, timed_out: bool) -> CallError:
    if timed_out and not _dropped(error):
        return CallError("timeout", TOO_SLOW)
    cause = str(error.__cause__ or "").replace(" ssl:default", "")  # said of plain HTTP too
    sent = "Cannot connect" not in cause and "refused" not in cause
    return CallError("connection", excerpt(f"the connection failed: {cause or error}"), sent=sent)


def _dropped(error: BaseException) -> bool:
    """Whether a connection was refused, reset or closed: over aiohttp the SDK calls all of these a timeout."""
    cause = error.__cause__
    if cause is None or isinstance(cause, TimeoutError):
        return False
    return isinstance(cause, (aiohttp.ClientError, ConnectionError)) or _dropped(cause)
