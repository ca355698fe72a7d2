"""A provider that follows a script: a real class for dry runs and for tests of everything that can go wrong."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable

from builder.providers.allowance import Allowance
from builder.providers.protocol import CallError
from schemas.chat import ChatRequest, Completion, Usage
from schemas.vocabulary import Outcome

Step = Completion | CallError
Script = Callable[[ChatRequest, str, int], Step]


class ScriptedProvider:
    """Answers each call with what the script says for (request, key, number of the attempt at it)."""

    allowance: Allowance | None = None

    def __init__(self, script: Script) -> None:
        self._script = script
        self.calls: Counter[str] = Counter()

    async def complete(self, request: ChatRequest, key: str) -> Completion:
        """What the script says. Raises the CallError the script returns."""
        self.calls[key] += 1
        step = self._script(request, key, self.calls[key])
        if isinstance(step, CallError):
            raise step
        return step

    async def close(self) -> None:
        """Nothing to give back."""


def plausible(request: ChatRequest, key: str, _attempt: int) -> Completion:
    """A made-up but well-formed answer that depends on the key alone: what `scripted/plausible` says."""
    draw = int(hashlib.sha256(key.encode()).hexdigest(), 16)
    text = _as_json(request.json_schema, draw) if request.json_schema else _as_prose(draw)
    return Completion(
        key=key,
        outcome=Outcome.TEXT,
        text=text,
        stop_reason="stop",
        served_model="plausible",
        usage=Usage(input_tokens=sum(len(m.content) for m in request.messages) // 4, output_tokens=len(text) // 4),
    )


def _as_json(schema: dict[str, object], draw: int) -> str:
    properties = schema["properties"]
    if not isinstance(properties, dict):
        raise TypeError("a JSON schema's properties are an object")
    answer: dict[str, object] = {}
    for place, (name, shape) in enumerate(sorted(properties.items())):
        choices = shape.get("enum")
        answer[name] = choices[(draw >> (8 * place)) % len(choices)] if choices else ""
    return json.dumps(answer)


def _as_prose(draw: int) -> str:
    if draw % 5 == 0:
        return "I'm sorry, but I can't help with that request."
    return "Here is what you asked for. First, look at the matter from all sides; then write down what you found."
