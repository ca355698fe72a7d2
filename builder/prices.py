"""What tokens cost: the dated table that comes with the toolkit, and what the user's configuration says instead."""

import re
import tomllib
from functools import cache
from pathlib import Path

from builder.providers.batches import has_batches
from schemas.chat import Usage
from schemas.config import BuildConfig, Price

TABLE = Path(__file__).with_name("prices.toml")
FREE = Price(input=0, output=0)
DATE = re.compile(r"[-@](?:\d{8}|\d{4}-\d{2}-\d{2})\Z")


@cache
def price_table() -> dict[str, Price]:
    """The bundled prices by model name."""
    return {name: Price(**price) for name, price in tomllib.loads(TABLE.read_text(encoding="utf-8")).items()}


def price_of(model: str, config: BuildConfig) -> Price | None:
    """What this run pays for a model: by the user's price, else the table's (a dated snapshot costs what its model
    does), less what the batch API saves where the run uses it; None without a price.

    Models on this machine and scripted ones are free.
    """
    if model.startswith(("local/", "scripted/")):
        return FREE
    table = price_table()
    price = config.prices.get(model) or table.get(model) or table.get(DATE.sub("", model))
    by_batch = config.transport == "batch" and has_batches(model)
    return scaled(price, price.batch) if price is not None and by_batch else price


def scaled(price: Price, share: float) -> Price:
    """The price of which everything costs a share."""
    costs = price.model_dump(exclude={"batch"}, exclude_none=True)
    return Price(**{name: cost * share for name, cost in costs.items()})


def cost_of(usage: Usage, price: Price) -> float:
    """US dollars of one answer; tokens the provider did not count cost nothing here."""
    cached, written = usage.cached_tokens or 0, usage.cache_write_tokens or 0
    plain = max(0, (usage.input_tokens or 0) - cached - written)
    return (
        plain * price.input
        + cached * _or(price.cached_input, price.input)
        + written * _or(price.cache_write, price.input)
        + (usage.output_tokens or 0) * price.output
    ) / 1_000_000


def worst_cost(input_tokens: int, output_tokens: int, price: Price) -> float:
    """The most that so many tokens can cost: as if all input were written to the provider's cache."""
    dearest = max(price.input, _or(price.cache_write, price.input))
    return (input_tokens * dearest + output_tokens * price.output) / 1_000_000


def _or(cost: float | None, otherwise: float) -> float:
    return otherwise if cost is None else cost
