"""Model names: `provider/model`, or a judge that needs no model."""

import difflib
from typing import Literal, NamedTuple, cast, get_args

ProviderName = Literal["anthropic", "openai", "together", "openrouter", "openai-compatible", "local", "scripted"]
PROVIDERS: tuple[str, ...] = get_args(ProviderName)
EXAMPLES = "local/smollm2-135m (on this machine) or openai/MODEL (an API, with its key in the environment)"


class ModelName(NamedTuple):
    """A provider and the model's name there."""

    provider: ProviderName
    model: str


def parse_model(name: str) -> ModelName:
    """The parts of `provider/model`. Raises ValueError, naming the providers there are and what was probably meant."""
    provider, slash, model = name.partition("/")
    if not slash or not model or provider not in PROVIDERS:
        raise ValueError(
            f"{name!r} is not a model{_meant(provider, model)}: want provider/model, such as {EXAMPLES}; "
            f"the provider is one of {', '.join(PROVIDERS)}"
        )
    if not name.isprintable() or name != name.strip():
        raise ValueError(f"{name!r} is not a model: a name holds no spaces around it and no control characters")
    return ModelName(cast(ProviderName, provider), model)


def _meant(provider: str, model: str) -> str:
    near = difflib.get_close_matches(provider.lower(), PROVIDERS, n=1)
    return f" (did you mean {near[0]}/{model or 'MODEL'}?)" if near and near[0] != provider else ""
