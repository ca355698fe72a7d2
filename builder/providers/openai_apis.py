"""Which of OpenAI's two APIs a model is asked through: the one place of the rule."""

import re
from typing import Literal

from schemas.model_name import parse_model

OpenAIApi = Literal["chat", "responses"]

# Served by the Responses API alone (-pro, -codex, deep research) or better there (everything that reasons):
REASONING = re.compile(r"o[1-9]|gpt-(?:[5-9]|[1-9]\d)|codex|computer-use|.*-(?:pro|codex|deep-research)(?:-|\Z)")
CHAT_ALONE = re.compile(r"o1-(?:mini|preview)|.*-chat-latest\Z")


def api_of(name: str, chosen: dict[str, OpenAIApi]) -> OpenAIApi:
    """The API for a `provider/model`: what the user chose for it, else OpenAI's reasoning models by Responses.

    Every other server is asked through chat completions, which all of them speak.
    """
    if name in chosen:
        return chosen[name]
    return "responses" if reasons(name) else "chat"


def reasons(name: str) -> bool:
    """Whether a `provider/model` is a model of OpenAI that thinks before it answers."""
    provider, model = parse_model(name)
    return provider == "openai" and REASONING.match(model) is not None and CHAT_ALONE.match(model) is None
