"""A hard limit on what one run may spend: calls in flight are counted at the most they can cost."""

from collections.abc import Callable
from dataclasses import dataclass, field

from builder.prices import cost_of, worst_cost
from builder.providers.protocol import CallError
from schemas.chat import ChatRequest, Completion, Usage
from schemas.config import Price

CHARACTERS_PER_TOKEN = 3
OUTPUT_IF_UNCAPPED = 4096
BUDGET = "of the budget"


@dataclass(slots=True)
class Purse:
    """`spent` is what calls cost so far, `held` the most that calls in flight may still cost, in US dollars."""

    price: Callable[[str], Price | None]
    limit: float | None = None
    spent: float = 0.0
    held: float = 0.0
    empty: bool = False
    wanted: float = 0.0
    by_model: dict[str, float] = field(default_factory=dict)

    def hold(self, request: ChatRequest) -> float | None:
        """Set aside the most this call can cost and return it; None if that could break the limit.

        If it would not fit even with every call in flight for nothing, the purse is `empty`; else there may be room
        once calls in flight have ended, for few cost the most they can.
        """
        worst = self._worst(request)
        if self.limit is not None and self.spent + self.held + worst > self.limit:
            if self.spent + worst > self.limit:
                self.empty, self.wanted = True, worst
            return None
        self.held += worst
        return worst

    @property
    def why(self) -> str:
        """Why no more is asked, for a purse that is empty."""
        return (
            f"{BUDGET} of US$ {self.limit:g}, {max(0.0, (self.limit or 0.0) - self.spent):.2g} is left; "
            f"the next call may cost up to {self.wanted:.2g}"
        )

    def ended(self, model: str, held: float, result: Completion | CallError | None) -> None:
        """Replace what was set aside for a call by what it cost: an answer its tokens, a failure nothing.

        What may have cost something that nobody will tell, such as a call that timed out or was cut off (None), costs
        all that was set aside for it.
        """
        if result is None or (isinstance(result, CallError) and result.may_have_cost):
            self.held -= held
            self._pay(model, held)
        else:
            self.settle(model, held, result.usage if isinstance(result, Completion) else None)

    def settle(self, model: str, held: float, usage: Usage | None) -> None:
        """Replace what was set aside by what the call did cost; a call that failed costs nothing."""
        self.held -= held
        price = self.price(model)
        if usage is not None and price is not None:
            self._pay(model, cost_of(usage, price))

    def _pay(self, model: str, cost: float) -> None:
        self.spent += cost
        self.by_model[model] = self.by_model.get(model, 0.0) + cost

    def _worst(self, request: ChatRequest) -> float:
        price = self.price(request.model)
        if price is None:
            return 0.0
        tokens_in = sum(len(message.content) for message in request.messages) // CHARACTERS_PER_TOKEN + 50
        return worst_cost(tokens_in, request.max_tokens or OUTPUT_IF_UNCAPPED, price)
