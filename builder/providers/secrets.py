"""API keys: read from the environment in one place, and kept out of every message."""

import os
import re
from collections.abc import Mapping

KEY_VARIABLES = {
    "anthropic": "ANTHROPIC_API_KEY",
    "openai": "OPENAI_API_KEY",
    "together": "TOGETHER_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
    "openai-compatible": "OPENAI_COMPATIBLE_API_KEY",
}
OTHER_SECRETS = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "ARGILLA_API_KEY")
SHAPES = re.compile(
    r"(?i)\b(?:sk|pk|key|hf|tgp|gsk|rk)[-_][a-z0-9][a-z0-9_*.\-]{6,}"
    r"|bearer\s+(?!\[secret)[^\s\"',;]+|(?<=api-key: )(?!\[secret)\S+|(?<=api_key=)(?!\[secret)\S+"
)
MARK = "[secret removed]"
SHORTEST = 8  # placeholders such as "none" or "EMPTY" are words that answers may hold


def api_key(provider: str, environment: Mapping[str, str] = os.environ) -> str | None:
    """The provider's API key from its environment variable, or None if it is not set."""
    return environment.get(KEY_VARIABLES[provider]) or None


def known_secrets(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """The keys and tokens that are set, longest first, without placeholders of a few letters."""
    found = {environment.get(variable, "").strip() for variable in (*KEY_VARIABLES.values(), *OTHER_SECRETS)}
    return tuple(sorted((secret for secret in found if len(secret) >= SHORTEST), key=lambda s: (-len(s), s)))


def without_secrets(text: str, environment: Mapping[str, str] = os.environ) -> str:
    """The text with every known key and everything shaped like one replaced by a mark."""
    for variable in (*KEY_VARIABLES.values(), *OTHER_SECRETS):
        secret = environment.get(variable)
        if secret and len(secret) >= 4:
            text = text.replace(secret, MARK)
    return SHAPES.sub(MARK, text)
