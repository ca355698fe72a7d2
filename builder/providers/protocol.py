"""What a provider is to a transport, and how a call can fail."""

from typing import Literal, Protocol

from builder.providers.allowance import Allowance
from builder.providers.secrets import without_secrets
from schemas.chat import ChatRequest, Completion

FailureKind = Literal[
    "rate_limited", "overloaded", "server", "connection", "timeout", "malformed", "auth", "not_found", "rejected"
]
RETRYABLE: frozenset[str] = frozenset({"rate_limited", "overloaded", "server", "connection", "timeout", "malformed"})
HOPELESS: frozenset[str] = frozenset({"auth", "not_found"})
UNREADABLE = (AttributeError, KeyError, TypeError, ValueError, RecursionError, OverflowError)  # what odd bodies raise
COST_UNTOLD: frozenset[str] = frozenset({"connection", "timeout", "malformed"})


class CallError(Exception):
    """A call without a result. `retry_after_s` is what the provider asked for; secrets are taken out of the message.

    `sent` is False where the request is known never to have reached the provider.
    """

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        *,
        status: int | None = None,
        retry_after_s: float | None = None,
        sent: bool = True,
    ) -> None:
        self.message = without_secrets(message)
        super().__init__(self.message)
        self.kind = kind
        self.status = status
        self.retry_after_s = retry_after_s
        self.sent = sent

    @property
    def may_have_cost(self) -> bool:
        """Whether the provider may have done the work, and be paid for it, without telling how much it was."""
        inside_200 = self.kind == "server" and self.status is None
        return self.sent and (inside_200 or self.kind in COST_UNTOLD)

    @property
    def retryable(self) -> bool:
        """Whether the same call may succeed later in this run."""
        return self.kind in RETRYABLE

    @property
    def hopeless(self) -> bool:
        """Whether every other call to this model would fail alike."""
        return self.kind in HOPELESS


class Provider(Protocol):
    """Something that answers chat requests; `allowance` is what its server said of its limits with the last answer."""

    @property
    def allowance(self) -> Allowance | None:
        """What is left of the server's rate limits; None if it told none."""
        ...

    async def complete(self, request: ChatRequest, key: str) -> Completion:
        """The completion of the request. Raises CallError if there is none."""
        ...

    async def close(self) -> None:
        """Give back connections and processes."""
        ...
