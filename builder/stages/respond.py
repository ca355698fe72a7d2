"""respond: in a fresh context that holds nothing else, the target answers the variant."""

import re

from builder.stages.sampling import of_response
from schemas.chat import ChatRequest, Completion, Message
from schemas.config import BuildConfig
from schemas.model_name import parse_model
from schemas.records import Response, Trial

SAME_MODEL = re.compile(r"(?:[-@](?:\d{4}-\d{2}-\d{2}|\d{4,8}))?(?::[a-z]+)?")


def ask(trial: Trial, config: BuildConfig) -> ChatRequest:
    """The variant alone, as a person would send it."""
    sampling = of_response(trial.target, config)
    return ChatRequest(
        model=trial.target,
        messages=(Message("user", trial.variant.text),),
        sample=trial.sample,
        max_tokens=sampling.max_tokens,
        temperature=sampling.temperature,
        effort=sampling.effort,
    )


def read(key: str, completion: Completion | None, target: str) -> Response:
    """The response in a completion; without one, a response with no outcome."""
    if completion is None:
        return Response(key, None, "")
    return Response(
        key=key,
        outcome=completion.outcome,
        text=completion.text,
        served_model=completion.served_model,
        stop_reason=completion.stop_reason,
        substituted=is_substituted(target, completion.served_model),
    )


def is_substituted(target: str, served: str | None) -> bool:
    """Whether another model answered than was asked.

    A dated snapshot (`model` → `model-2026-01-01`), a price tag (`:free`) and a vendor prefix leave it the same model.
    """
    provider, asked = parse_model(target)
    if served is None or provider in ("local", "scripted"):
        return False
    asked = asked.partition("@")[0] if provider == "openrouter" else asked  # the host it is pinned to
    want, got = (name.lower().rpartition("/")[2] for name in (asked.removesuffix("-latest"), served))
    return not (got.startswith(want) and SAME_MODEL.fullmatch(got.removeprefix(want)))
