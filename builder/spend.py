"""What came back so far, by stage and model: counts and money."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from builder.journal.store import Journal
from builder.prices import cost_of, price_of
from builder.transports.purse import Purse
from schemas.chat import Completion
from schemas.config import BuildConfig, Price
from schemas.vocabulary import Outcome

Pricing = Callable[[str], Price | None]
FILTERED = (Outcome.INPUT_FILTERED, Outcome.OUTPUT_FILTERED)
ODD = (Outcome.TRUNCATED, Outcome.REASONING_ONLY, Outcome.EMPTY)


@dataclass(slots=True)
class Count:
    """One stage and model: `already` of `planned` were on record, `outcomes` came since, `errors` are failed attempts.

    `usd` is what this run's answers cost; None without a price.
    """

    planned: int
    already: int
    usd: float | None = None
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)

    @property
    def done(self) -> int:
        """Requests that are on record now."""
        return self.already + self.outcomes.total()

    @property
    def refused(self) -> int:
        """Answers the model or its provider stopped as refusals; refusals in words are for judges to find."""
        return self.outcomes[Outcome.REFUSAL_STOP]

    @property
    def filtered(self) -> int:
        """Requests and answers a filter kept back."""
        return sum(self.outcomes[outcome] for outcome in FILTERED)

    @property
    def notes(self) -> str:
        """Everything but plain answers, and the money, in a few words."""
        told = {"refused": self.refused, "filtered": self.filtered}
        told |= {outcome.replace("_", " "): self.outcomes[outcome] for outcome in ODD}
        told["failed attempts"] = self.errors.total()
        words = [f"{name} {count:,}" for name, count in told.items() if count]
        return ", ".join([*words, f"US$ {self.usd:.2f}"] if self.usd else words)


@dataclass(slots=True)
class Tally:
    """The counts of a run, by stage and model; `usd` is what all its answers cost where a price is known."""

    price: Pricing
    counts: dict[tuple[str, str], Count] = field(default_factory=dict)
    usd: float = 0.0

    def begin(self, stage: str, model: str, planned: int, already: int) -> Count:
        """A new count, in the place of an earlier one."""
        count = Count(planned, already, None if self.price(model) is None else 0.0)
        self.counts[stage, model] = count
        return count

    def answered(self, stage: str, completion: Completion, model: str) -> Count:
        """The count with one more answer."""
        count, price = self.counts[stage, model], self.price(model)
        count.outcomes[completion.outcome] += 1
        if price is not None:
            cost = cost_of(completion.usage, price)
            count.usd = (count.usd or 0.0) + cost
            self.usd += cost
        return count

    def failed(self, stage: str, model: str, kind: str) -> Count:
        """The count with one more failed attempt."""
        count = self.counts[stage, model]
        count.errors[kind] += 1
        return count


def budget_of(config: BuildConfig, journal: Journal) -> Purse:
    """The purse of a run directory: what the answers on record did cost, at today's prices, is spent already.

    Which of them came by batch, at half price, is not on record: all count as live ones. Raises JournalError if the
    journal cannot be read.
    """
    live = partial(price_of, config=config.model_copy(update={"transport": "live"}))
    return Purse(
        partial(price_of, config=config), config.budget_usd, _spent(journal, live) if config.budget_usd else 0.0
    )


def _spent(journal: Journal, price: Pricing) -> float:
    spent = 0.0
    for attempt in journal.attempts():
        known = price(attempt.model)
        if known is not None and isinstance(attempt.result, Completion):
            spent += cost_of(attempt.result.usage, known)
    return spent
