"""A hard limit on what one run may spend: calls in flight are counted at the most they can cost."""

from collections.abc import Callable
from dataclasses import dataclass, field

from builder.prices import cost_of, worst_cost
from schemas.chat import ChatRequest, Usage
from schemas.config import Price

CHARACTERS_PER_TOKEN = 3
OUTPUT_IF_UNCAPPED = 4096


@dataclass(slots=True)
class Purse:
    """`spent` is what answers cost so far, `held` the most that calls in flight may still cost, in US dollars."""

    price: Callable[[str], Price | None]
    limit: float | None = None
    spent: float = 0.0
    held: float = 0.0
    empty: bool = False
    by_model: dict[str, float] = field(default_factory=dict)

    def hold(self, request: ChatRequest) -> float | None:
        """Set aside the most this call can cost and return it; None if that could break the limit."""
        worst = self._worst(request)
        if self.limit is not None and self.spent + self.held + worst > self.limit:
            self.empty = True
            return None
        self.held += worst
        return worst

    def settle(self, model: str, held: float, usage: Usage | None) -> None:
        """Replace what was set aside by what the call did cost; a call that failed costs nothing."""
        self.held -= held
        price = self.price(model)
        if usage is not None and price is not None:
            cost = cost_of(usage, price)
            self.spent += cost
            self.by_model[model] = self.by_model.get(model, 0.0) + cost

    def _worst(self, request: ChatRequest) -> float:
        price = self.price(request.model)
        if price is None:
            return 0.0
        tokens_in = sum(len(message.content) for message in request.messages) // CHARACTERS_PER_TOKEN + 50
        return worst_cost(tokens_in, request.max_tokens or OUTPUT_IF_UNCAPPED, price)
