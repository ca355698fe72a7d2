"""What a Hub's refusals mean for somebody who publishes: what to do, and whether trying again can help."""

from collections.abc import Iterator
from contextlib import contextmanager

from httpx2 import HTTPError
from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

from hub_card.facts import ReleaseError

LONGEST_WAIT = 300.0
MEANING = {
    401: "the Hub does not accept the token in HF_TOKEN; make a new one with write access and export it",
    403: "the token may not do this; want one with write access to this owner's repositories, made by a member",
    404: "there is no such repository or the token may not see it; check the name and the token",
}


class HubError(ReleaseError):
    """A Hub that refuses for good: the message says what to do."""


class HubBusyError(HubError):
    """A Hub that may answer later; `wait` is how long it asks to wait, in seconds, if it says."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


class HubMovedError(HubError):
    """A Hub that changed since it was looked at: look again, plan again."""


@contextmanager
def translated(action: str) -> Iterator[None]:
    """Turns errors of the client into HubError, HubBusyError or HubMovedError; `action` says what was tried."""
    try:
        yield
    except (HTTPError, LocalEntryNotFoundError) as error:
        raise _meant(action, error) from error
    except RuntimeError as error:  # what the client wraps a failed upload in
        if not isinstance(error.__cause__, HTTPError):
            raise
        raise _meant(action, error.__cause__) from error


def _meant(action: str, error: Exception) -> HubError:
    if isinstance(error, HfHubHTTPError):
        return refusal(action, error.response.status_code, _said(error), error.response.headers)
    return HubBusyError(f"{action}: the connection failed ({_first_line(error)})")


def refusal(action: str, status: int, said: str, headers: "object" = None) -> HubError:
    """The error for an HTTP status while doing `action`; `said` are the Hub's own words."""
    text = f"{action}: HTTP {status}: "
    if status in MEANING:
        return HubError(f"{text}{MEANING[status]}. The Hub says: {said}")
    if status in (409, 412):
        return HubMovedError(f"{text}the repository changed in the meantime. The Hub says: {said}")
    if status == 429:
        return HubBusyError(
            f"{text}too many requests; wait some minutes and run the same command again", _wait(headers)
        )
    if status >= 500:
        return HubBusyError(f"{text}the Hub has a problem; run the same command again later", _wait(headers))
    return HubError(f"{text}the Hub refuses. It says: {said}")


def _wait(headers: object) -> float | None:
    stated = headers.get("Retry-After", "") if hasattr(headers, "get") else ""
    return min(float(stated), LONGEST_WAIT) if stated.isdecimal() else None


def _said(error: HfHubHTTPError) -> str:
    return error.server_message or _first_line(error)


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
