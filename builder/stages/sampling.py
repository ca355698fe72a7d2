"""How targets, judges and writers are asked to decode: what the user set, else what suits where the model runs."""

from typing import NamedTuple

from builder.providers.openai_apis import reasons
from schemas.chat import Effort
from schemas.config import BuildConfig

LOCAL_RESPONSE_TOKENS = 48
RESPONSE_TOKENS = 1024
LOCAL_JSON_TOKENS = 64
LOCAL_WRITING_TOKENS = 1024
LOCAL_WRITING_TEMPERATURE = 0.8
JSON_TOKENS = 1024
REASONING_EXTRA = 4096


class Sampling(NamedTuple):
    """The decoding options of one call."""

    max_tokens: int
    temperature: float | None
    effort: Effort | None


def of_response(model: str, config: BuildConfig) -> Sampling:
    """For a response. A local model decodes greedily into few tokens unless told otherwise."""
    default = LOCAL_RESPONSE_TOKENS if _local(model) else RESPONSE_TOKENS
    return _sampling(model, config, config.response_tokens or default)


def of_prediction(model: str, config: BuildConfig) -> Sampling:
    """For a prediction, which is one short JSON object."""
    return _sampling(model, config, LOCAL_JSON_TOKENS if _local(model) else JSON_TOKENS)


def of_judge(model: str) -> Sampling:
    """For a verdict: greedy on this machine, the provider's default elsewhere (some models take no temperature)."""
    if _local(model):
        return Sampling(LOCAL_JSON_TOKENS, 0.0, None)
    return Sampling(JSON_TOKENS + _thinking(model, None), None, None)


def of_writer(model: str, tokens: int) -> Sampling:
    """For writing corpus texts: with some chance on this machine, where greedy small models repeat themselves."""
    if _local(model):
        return Sampling(min(tokens, LOCAL_WRITING_TOKENS), LOCAL_WRITING_TEMPERATURE, None)
    return Sampling(tokens, None, None)


def _sampling(model: str, config: BuildConfig, tokens: int) -> Sampling:
    temperature = 0.0 if config.temperature is None and _local(model) else config.temperature
    return Sampling(tokens + _thinking(model, config.effort), temperature, config.effort)


def _thinking(model: str, effort: Effort | None) -> int:
    """Room for thoughts, which the cap on an answer counts too; thoughts must not crowd the answer out."""
    return REASONING_EXTRA if effort is not None or reasons(model) else 0


def _local(model: str) -> bool:
    return model.startswith("local/")
