"""What tokens cost: the dated table that comes with the toolkit, and what the user's configuration says instead."""

import tomllib
from functools import cache
from pathlib import Path

from schemas.chat import Usage
from schemas.config import BuildConfig, Price

TABLE = Path(__file__).with_name("prices.toml")
FREE = Price(input=0, output=0)
DATED = 9


@cache
def price_table() -> dict[str, Price]:
    """The bundled prices by model name."""
    return {name: Price(**price) for name, price in tomllib.loads(TABLE.read_text(encoding="utf-8")).items()}


def price_of(model: str, config: BuildConfig) -> Price | None:
    """The price of a model: the user's, else the table's (a dated snapshot costs what its model does), else None.

    Models on this machine and scripted ones are free.
    """
    if model.startswith(("local/", "scripted/")):
        return FREE
    if model in config.prices:
        return config.prices[model]
    table = price_table()
    undated = model[:-DATED] if model[-DATED : -DATED + 1] == "-" and model[-DATED + 1 :].isdigit() else model
    return table.get(model) or table.get(undated)


def cost_of(usage: Usage, price: Price) -> float:
    """US dollars of one answer; tokens the provider did not count cost nothing here."""
    return ((usage.input_tokens or 0) * price.input + (usage.output_tokens or 0) * price.output) / 1_000_000
