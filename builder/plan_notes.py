"""What `--plan` says under its table: prices missing or reduced, a fitting budget, what would stop the run. Pure."""

import math
from collections.abc import Sequence

from builder.estimate import Estimate
from builder.providers.batches import has_batches
from schemas.config import BuildConfig

ROOM = 1.25


def plan_notes(rows: Sequence[Estimate], config: BuildConfig, problems: Sequence[str]) -> list[str]:
    """Lines about the prices and the budget of an estimate, then the `problems` that would stop the run at once."""
    models = sorted({row.model for row in rows if row.planned > row.already})
    unpriced = {row.model for row in rows if row.usd is None}
    lines = [
        f'{model} has no price here: give [prices."{model}"] input = …, output = … (US$ a million tokens) with --config'
        for model in models
        if model in unpriced
    ]
    lines += [line for model in models if model not in unpriced and (line := _batch_line(model, config))]
    lines += [
        f"{model}: OpenRouter's models have names like openrouter/VENDOR/MODEL; is this one complete?"
        for model in models
        if model.startswith("openrouter/") and model.count("/") < 2
    ]
    lines += _budget_lines(sum(row.usd or 0.0 for row in rows), config.budget_usd)
    if problems:
        lines += ["the run would stop at once:", *(f"  {problem}" for problem in problems)]
    return lines


def _batch_line(model: str, config: BuildConfig) -> str | None:
    if config.transport != "batch" or model.startswith(("local/", "scripted/")):
        return None
    if not has_batches(model):
        return f"{model} has no batch API here: asked live, at the full price"
    given = config.prices.get(model)
    if given is not None and given.batch == 1:
        return f'{model} goes by batch at the full price you gave: batch = 0.5 in [prices."{model}"] halves it'
    return f"{model} goes by batch, which is cheaper: the estimate has the batch price"


def _budget_lines(usd: float, budget: float | None) -> list[str]:
    if budget is None:
        return (
            [f"hint: --budget-usd {_rounded_up(usd * ROOM)} would stop the run should it cost much more"] if usd else []
        )
    if budget < usd:
        return [
            f"--budget-usd {budget:g} is less than the estimate of US$ {usd:.2f}: the run would stop before its end"
        ]
    return [f"--budget-usd {budget:g} is a hard stop, {budget - usd:.2f} above the estimate"] if usd else []


def _rounded_up(usd: float) -> str:
    return f"{math.ceil(usd)}" if usd >= 2 else f"{math.ceil(usd * 100) / 100:.2f}"
