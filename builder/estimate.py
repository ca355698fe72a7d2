"""What a build would ask and cost before anything is asked: counts, rough tokens, and money where prices are known."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from builder.journal.store import Journal
from builder.prices import cost_of, price_of
from builder.providers.openai_apis import reasons
from builder.stages import judge, respond
from builder.stages.sampling import of_response
from builder.transports.protocol import Ask
from builder.work import Work, llm_judges, predict_asks, respond_asks
from schemas.chat import ChatRequest, Usage
from schemas.config import BuildConfig
from schemas.key import key_of
from schemas.records import Response, Trial
from schemas.vocabulary import Outcome

CHARACTERS_PER_TOKEN = 4
EXPECTED_OUTPUT = {"predict": 25, "respond": 350, "judge": 80}
EXPECTED_THOUGHT = {"minimal": 50, "low": 300, "medium": 1000, "high": 3000}


@dataclass(slots=True)
class Estimate:
    """Calls of one stage and model: planned, answered, and for the rest tokens and US dollars (None: no price)."""

    stage: str
    model: str
    planned: int = 0
    already: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = None


def estimate(work: Work, journal: Journal | None) -> list[Estimate]:
    """One estimate a stage and model.

    Tokens are characters / 4 in, and a typical length (or the cap) out, with thoughts where the model reasons.
    """
    completed = journal.completed_keys() if journal is not None else set()
    found: dict[tuple[str, str], Estimate] = {}
    for stage, asks in (
        ("predict", predict_asks(work)),
        ("respond", respond_asks(work)),
        ("judge", _judge_asks(work, journal)),
    ):
        for ask in asks:
            row = found.setdefault((stage, ask.request.model), Estimate(stage, ask.request.model))
            row.planned += 1
            if ask.key in completed:
                row.already += 1
                continue
            row.input_tokens += sum(len(m.content) for m in ask.request.messages) // CHARACTERS_PER_TOKEN
            expected = EXPECTED_OUTPUT[stage] + _thought(ask.request)
            row.output_tokens += min(expected, ask.request.max_tokens or expected)
    for row in found.values():
        row.usd = priced(row, work.config)
    return list(found.values())


def _thought(request: ChatRequest) -> int:
    thinks = request.effort is not None or reasons(request.model)
    return EXPECTED_THOUGHT[request.effort or "medium"] if thinks else 0


def _judge_asks(work: Work, journal: Journal | None) -> Iterator[Ask]:
    for name in llm_judges(work.config):
        for trial, key in zip(work.trials, work.respond_keys, strict=True):
            completion = journal.completion(key) if journal is not None else None
            response = _typical(key, trial, work) if completion is None else respond.read(key, completion, trial.target)
            if judge.wanted(response):
                request = judge.ask(name, trial.variant.text, response)
                yield Ask("judge", key_of(request), request)


def _typical(key: str, trial: Trial, work: Work) -> Response:
    tokens = min(EXPECTED_OUTPUT["respond"], of_response(trial.target, work.config).max_tokens)
    return Response(key, Outcome.TEXT, "x" * tokens * CHARACTERS_PER_TOKEN)


def priced(row: Estimate, config: BuildConfig) -> float | None:
    """What the tokens of a row cost in US dollars; None without a price."""
    price = price_of(row.model, config)
    return None if price is None else cost_of(Usage(row.input_tokens, row.output_tokens), price)


def by_model(rows: list[Estimate]) -> dict[str, int]:
    """Calls still to make, by model."""
    calls: dict[str, int] = defaultdict(int)
    for row in rows:
        calls[row.model] += row.planned - row.already
    return dict(calls)
