"""Model names: `provider/model`, or a judge that needs no model."""

from typing import Literal, NamedTuple, cast, get_args

ProviderName = Literal["anthropic", "openai", "together", "openrouter", "openai-compatible", "local", "scripted"]
PROVIDERS: tuple[str, ...] = get_args(ProviderName)


class ModelName(NamedTuple):
    """A provider and the model's name there."""

    provider: ProviderName
    model: str


def parse_model(name: str) -> ModelName:
    """The parts of `provider/model`. Raises ValueError, naming the providers there are."""
    provider, slash, model = name.partition("/")
    if not slash or not model or provider not in PROVIDERS:
        raise ValueError(f"{name!r} is not a model: want provider/model with a provider of {', '.join(PROVIDERS)}")
    return ModelName(cast(ProviderName, provider), model)
