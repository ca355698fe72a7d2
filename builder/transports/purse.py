"""A hard limit on what one run may spend: calls in flight are counted at the most they can cost."""

from collections.abc import Callable
from dataclasses import dataclass, field

from builder.prices import cost_of, worst_cost
from builder.providers.protocol import CallError
from schemas.chat import ChatRequest, Completion
from schemas.config import Price
from schemas.key import canonical_json
from schemas.vocabulary import Outcome

TOKENS_AROUND = 50  # of the messages; a token is at least a byte, so what is sent has no more tokens than bytes
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
        if worst == 0:
            return worst
        if self.limit is not None and self.spent + self.held + worst > self.limit:
            if self.spent + worst > self.limit:
                self.empty, self.wanted = True, worst
            return None
        self.held += worst
        return worst

    def empty_for(self, model: str) -> bool:
        """Whether nothing more can be asked of a model: the purse is empty, and the model costs something."""
        price = self.price(model)
        return self.empty and price is not None and (price.input > 0 or price.output > 0)

    @property
    def why(self) -> str:
        """Why no more is asked, for a purse that is empty."""
        return (
            f"{BUDGET} of US$ {self.limit:g}, {max(0.0, (self.limit or 0.0) - self.spent):.2g} is left; "
            f"the next call may cost up to {self.wanted:.2g}"
        )

    def ended(self, model: str, held: float, result: Completion | CallError | None) -> None:
        """Replace what was set aside for a call by what it cost: an answer its tokens, a failure nothing.

        What may have cost something that nobody tells, such as a call that timed out or was cut off (None), or an
        answer without its counts of tokens, costs all that was set aside for it.
        """
        self.held -= held
        price = self.price(model)
        if _is_untold(result):
            self._pay(model, held)
        elif isinstance(result, Completion) and price is not None:
            self._pay(model, cost_of(result.usage, price))

    def _pay(self, model: str, cost: float) -> None:
        self.spent += cost
        self.by_model[model] = self.by_model.get(model, 0.0) + cost

    def _worst(self, request: ChatRequest) -> float:
        price = self.price(request.model)
        if price is None:
            return 0.0
        sent = sum(len(message.content.encode(errors="surrogatepass")) for message in request.messages)
        shape = 0 if request.json_schema is None else len(canonical_json(request.json_schema))
        return worst_cost(sent + shape + TOKENS_AROUND, request.max_tokens or OUTPUT_IF_UNCAPPED, price)


def _is_untold(result: Completion | CallError | None) -> bool:
    if isinstance(result, Completion):
        told = None not in (result.usage.input_tokens, result.usage.output_tokens)
        return not told and result.outcome is not Outcome.INPUT_FILTERED
    return result is None or result.may_have_cost
