"""From a model's name to the provider that answers for it."""

import re
from collections.abc import Callable
from importlib.util import find_spec

from builder.prices import price_of
from builder.providers.allowance import Allowance
from builder.providers.batches import BatchService
from builder.providers.local.server import SERVERS, SLOTS, start_server
from builder.providers.local.weights import KNOWN, LocalModelError, weights_file
from builder.providers.openai_apis import api_of
from builder.providers.protocol import Provider
from builder.providers.scripted import ScriptedProvider, plausible
from builder.providers.secrets import KEY_VARIABLES, api_key
from schemas.chat import ChatRequest, Completion
from schemas.config import BuildConfig, ConfigError
from schemas.model_name import parse_model

ADDRESSES = {"together": "https://api.together.xyz/v1", "openrouter": "https://openrouter.ai/api/v1"}
KEYLESS = ("openai-compatible",)
SENDABLE = re.compile(r"[!-~]+")


def check_access(names: tuple[str, ...], config: BuildConfig) -> None:
    """Raise ConfigError, naming the variable or setting that is missing, unless every model can be asked."""
    if problems := access_problems(names, config):
        raise ConfigError("\n".join(problems))


def access_problems(names: tuple[str, ...], config: BuildConfig) -> list[str]:
    """Why models cannot be asked: unknown names, missing keys, addresses or extras, no price to hold a budget by."""
    problems = [
        f"base_url of {provider}: got {url!r}, want http://HOST:PORT/v1 or https://…"
        for provider, url in config.base_url.items()
        if not url.startswith(("http://", "https://"))
    ]
    for name in names:
        provider, model = parse_model(name)
        variable = KEY_VARIABLES.get(provider)
        if variable and model.split() != [model]:
            problems.append(f"{name!r} is no name of a model: want {provider}/MODEL, without spaces")
        key = api_key(provider) if variable else None
        if variable and provider not in KEYLESS and key is None:
            problems.append(f"{name} needs an API key: set the environment variable {variable}")
        if key is not None and not SENDABLE.fullmatch(key):
            problems.append(f"{variable} holds spaces, line ends or letters that no key has: copy the key anew")
        if provider == "openai-compatible" and provider not in config.base_url:
            problems.append(f"{name} needs an address: --base-url openai-compatible=http://HOST:PORT/v1")
        if provider == "local":
            problems += _local_problems(model)
        if config.budget_usd is not None and price_of(name, config) is None:
            problems.append(
                f'{name} has no price, so a budget cannot hold: give [prices."{name}"] in the configuration'
            )
    return problems


def api_problems(names: tuple[str, ...], config: BuildConfig) -> list[str]:
    """The models that `--api` names and that are not asked: a slip of the pen would go unnoticed."""
    return [f"--api {name}={api}: no such model is asked here" for name, api in config.api.items() if name not in names]


def _local_problems(model: str) -> list[str]:
    if model not in KNOWN:  # a known one may have to be fetched, which is for the run to do
        try:
            weights_file(model, lambda _words: None)
        except LocalModelError as error:
            return [str(error)]
    if find_spec("xllamacpp") is None:
        return [f"local/{model} needs xllamacpp, not installed here. Install the extra: pip install '.[local]'"]
    return []


def connect(name: str, config: BuildConfig, say: Callable[[str], None]) -> Provider:
    """The provider that answers for a model. A local model's server is started here and stopped by `close`.

    Raises LocalModelError if a local model cannot be had.
    """
    provider, model = parse_model(name)
    if provider == "scripted":
        return ScriptedProvider(plausible)
    if provider == "local":
        return LocalProvider(model, config, say)
    key = api_key(provider) or "none"
    address = _address(provider, config)
    if provider == "anthropic":
        from builder.providers.anthropic_sdk import AnthropicProvider

        return AnthropicProvider(key, address, config.call_timeout_s, config.concurrency)
    from builder.providers.openai_sdk import OpenAIProvider

    return OpenAIProvider(key, address, config.call_timeout_s, config.concurrency, api_of(name, config.api))


def connect_batches(name: str, config: BuildConfig) -> BatchService:
    """The batch service of a model's provider."""
    provider, _ = parse_model(name)
    key, address = api_key(provider) or "none", _address(provider, config)
    if provider == "anthropic":
        from builder.providers.anthropic_batches import AnthropicBatches

        return AnthropicBatches(key, address, config.call_timeout_s)
    from builder.providers.openai_batches import OpenAIBatches

    return OpenAIBatches(key, address, config.call_timeout_s, api_of(name, config.api))


def _address(provider: str, config: BuildConfig) -> str | None:
    given = config.base_url.get(provider, ADDRESSES.get(provider))
    if provider != "anthropic" or given is None:
        return given
    return given.rstrip("/").removesuffix("/v1")  # its SDK adds this to every path


def concurrency_of(name: str, config: BuildConfig) -> int:
    """How many calls a model may have in flight: what is configured, or as many as local servers have slots."""
    return min(config.concurrency, SERVERS * SLOTS) if name.startswith("local/") else config.concurrency


class LocalProvider:
    """A model on this machine: a few servers behind the ordinary OpenAI-compatible client, each call to the idlest."""

    allowance: Allowance | None = None

    def __init__(self, model: str, config: BuildConfig, say: Callable[[str], None]) -> None:
        from builder.providers.openai_sdk import OpenAIProvider

        weights = weights_file(model, say)
        self._servers = [start_server(weights, model) for _ in range(SERVERS)]
        self._clients = [
            OpenAIProvider(server.api_key, server.base_url, config.call_timeout_s, SLOTS) for server in self._servers
        ]
        self._busy = [0] * SERVERS

    async def complete(self, request: ChatRequest, key: str) -> Completion:
        """The completion of the request. Raises CallError if there is none."""
        idlest = self._busy.index(min(self._busy))
        self._busy[idlest] += 1
        try:
            return await self._clients[idlest].complete(request, key)
        finally:
            self._busy[idlest] -= 1

    async def close(self) -> None:
        """Close the connections and stop the servers."""
        for client, server in zip(self._clients, self._servers, strict=True):
            await client.close()
            server.stop()
