"""What is asked of a model and what came back: the two facts every transport exchanges."""

from dataclasses import dataclass, field
from typing import Any, Literal

from schemas.vocabulary import Outcome

Role = Literal["system", "user", "assistant"]
Effort = Literal["minimal", "low", "medium", "high"]
MOST_TOKENS = 2**31 - 1  # what a column of a release holds


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """Everything that can change an answer, and nothing else; `schemas.key.key_of` names it.

    `model` is `provider/model`. Options left at None are unset: they are neither sent nor part of the key.
    `json_schema` asks for structured output where the provider has it.
    """

    model: str
    messages: tuple[Message, ...]
    sample: int = 0
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    effort: Effort | None = None
    json_schema: dict[str, Any] | None = field(default=None, hash=False)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens a call was billed for; None where the provider did not say.

    Of the input tokens `cached_tokens` were read from the provider's cache and `cache_write_tokens` written to it.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    cache_write_tokens: int | None = None


def token_count(value: Any) -> int | None:
    """The value if it can be a number of tokens, else None: servers write anything."""
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS
    return value if is_count else None


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model returned for the request `key`: stored once, never asked again.

    `text` is what the model said, also when the outcome is a truncation, a filter that left a part, or a refusal
    that carries words. `stop_reason` is the provider's own word for why it ended. `secret_removed` is set where a
    server wrote one of the user's keys into its answer and a mark stands in its place.
    """

    key: str
    outcome: Outcome
    text: str
    stop_reason: str | None = None
    served_model: str | None = None
    fingerprint: str | None = None
    request_id: str | None = None
    usage: Usage = Usage()
    latency_s: float | None = None
    finished_at: str | None = None
    secret_removed: bool | None = None


@dataclass(frozen=True, slots=True)
class FailedAttempt:
    """A call that ended without a result: recorded, reported, asked again by the next run."""

    key: str
    kind: str
    message: str
    status: int | None = None
    finished_at: str | None = None
