"""No secret of the user enters the journal, not even one that a server wrote into its answer."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from builder.providers.secrets import MARK
from schemas.chat import Completion, FailedAttempt

OURS = frozenset({"key", "outcome", "kind", "finished_at"})


def scrubbed(result: Completion | FailedAttempt, secrets: Sequence[str]) -> Completion | FailedAttempt:
    """The result with every known secret replaced by a mark; a completion that held one is flagged."""
    held: dict[str, Any] = {
        item.name: without(value, secrets)
        for item in fields(result)
        if item.name not in OURS
        and isinstance(value := getattr(result, item.name), str)
        and any(secret in value for secret in secrets)
    }
    if not held:
        return result
    if isinstance(result, Completion):
        return replace(result, **held, secret_removed=True)
    return replace(result, **held)


def without(text: str, secrets: Sequence[str]) -> str:
    """The text with each of the secrets replaced by a mark."""
    for secret in secrets:
        text = text.replace(secret, MARK)
    return text
