"""One call through a provider's SDK: its answer read, its errors made ours. Both SDKs are generated alike."""

import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, NamedTuple

from builder.providers.clock import stamped
from builder.providers.failures import filter_outcome, status_error
from builder.providers.protocol import CallError
from builder.providers.secrets import without_secrets
from schemas.chat import Completion


class SdkErrors(NamedTuple):
    """The error classes of an SDK, from the most particular to the base of all."""

    status: type[Exception]
    timeout: type[Exception]
    connection: type[Exception]
    base: type[Exception]


async def sdk_call(
    create: Callable[[], Awaitable[Any]], read: Callable[[Any, str], Completion], errors: SdkErrors, key: str
) -> Completion:
    """The completion `read` finds in the raw response that `create` returns, with time and ids.

    A 4xx that is a policy decision about the text becomes an outcome; everything else raises CallError.
    """
    started = time.monotonic()
    try:
        raw = await create()
        body = json.loads(raw.http_response.content)
    except errors.status as error:
        return stamped(_outcome_or_raise(error, key), started, getattr(error, "request_id", None))
    except errors.connection as error:
        raise _connection_error(error, timed_out=isinstance(error, errors.timeout)) from None
    except (errors.base, ValueError) as error:
        raise CallError("malformed", without_secrets(f"the answer is not JSON: {error}"[:300])) from None
    request_id = raw.headers.get("x-request-id") or raw.headers.get("request-id")
    completion = read(body, key)
    return stamped(replace(completion, text=well_formed(completion.text)), started, request_id)


def well_formed(text: str) -> str:
    """The text with lone surrogates, which no file format can hold, replaced by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _connection_error(error: Exception, *, timed_out: bool) -> CallError:
    cause = str(error.__cause__ or "")
    if timed_out and "disconnected" not in cause:  # over aiohttp the SDK calls a dropped connection a timeout
        return CallError("timeout", "no answer within the time limit of a call")
    return CallError("connection", without_secrets(f"the connection failed: {cause or error}"[:300]))


def _outcome_or_raise(error: Any, key: str) -> Completion:
    outcome = filter_outcome(error.status_code, error.body)
    if outcome is None:
        raise status_error(error.status_code, error.body, error.response.headers, time.time()) from None
    return Completion(key=key, outcome=outcome, text="")
