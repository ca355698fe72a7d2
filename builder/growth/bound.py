"""What growing may ask at most, and a stand-in corpus of the size it may reach, for `--plan`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from builder.estimate import CHARACTERS_PER_TOKEN, Estimate, priced
from builder.growth.aids import NO_AIDS, Aids
from builder.growth.candidates import Look
from builder.growth.fill import ROUNDS
from builder.growth.grow import grow, take_steps
from builder.growth.kinds import kinds_of
from builder.growth.records import CellAccount, Grown, Step
from builder.growth.slots import ATTEMPTS, is_rewritten
from builder.stages import generate, paraphrase, verify
from builder.stages.generate import CANDIDATES, Cell
from schemas.chat import ChatRequest
from schemas.config import BuildConfig
from schemas.records import Paraphrase, Request
from schemas.vocabulary import ParaphraseKind

TYPICAL_CHARACTERS = 120
EXPECTED_OUTPUT = {"generate": 450, "paraphrase": 50, "verify": 80}


class Bound(NamedTuple):
    """A corpus of the most requests and paraphrases there may be, and the most calls that leads to."""

    requests: tuple[Request, ...]
    rows: tuple[Estimate, ...]


def growth_bound(corpus: Sequence[Request], config: BuildConfig, look: Look, aids: Aids = NO_AIDS) -> Bound:
    """The upper bound: every round and attempt is used, and yet every cell and slot ends filled."""
    steps: list[Step] = []
    grown = take_steps(grow(corpus, config, look, aids), steps.append)
    asked = {(step.stage, ask.key): ask for step in steps for ask in step.asks}
    answered = Counter(stage for stage, key in asked if look(key) is not None)
    known = Counter(stage for stage, _ in asked)
    calls = sum(_calls_left(cell) for cell in grown.cells)
    tries = _attempts_left(grown, config)
    planned = {
        "generate": answered["generate"] + calls,
        "paraphrase": answered["paraphrase"] + tries,
        "verify": known["verify"] + CANDIDATES * calls + tries if config.verify_with is not None else 0,
    }
    rows = [
        _row(stage, request, planned[stage], answered[stage], config)
        for stage, request in _typical(corpus, config)
        if planned[stage]
    ]
    return Bound(tuple(_filled_up(grown, config)), tuple(rows))


def _calls_left(cell: CellAccount) -> int:
    if cell.why_short != "unanswered":
        return 0
    most = ROUNDS * -(-(cell.wanted - cell.bundled) // CANDIDATES)
    return most - (sum(cell.calls.values()) - cell.calls.get("unanswered", 0))


def _attempts_left(grown: Grown, config: BuildConfig) -> int:
    last = {(attempt.request_id, attempt.number): attempt for attempt in grown.attempts}
    open_ = sum(ATTEMPTS - item.attempt + 1 for item in last.values() if item.status == "unanswered")
    return open_ + ATTEMPTS * config.paraphrases * sum(_to_come(cell) for cell in grown.cells)


def _to_come(cell: CellAccount) -> int:
    return cell.missing if cell.why_short == "unanswered" else 0


def _typical(corpus: Sequence[Request], config: BuildConfig) -> Iterator[tuple[str, ChatRequest]]:
    cell = Cell(config.topics[0], config.levels[0])
    text = "x" * TYPICAL_CHARACTERS
    if config.generator is not None:
        yield "generate", generate.ask(config.generator, cell, 1, corpus)
        base = Request("stand-in-1", *cell, text)
        yield "paraphrase", paraphrase.ask(config.generator, base, ParaphraseKind.TERSE, 1)
    if config.verify_with is not None:
        yield "verify", verify.ask(config.verify_with, text, text)


def _row(stage: str, typical: ChatRequest, planned: int, already: int, config: BuildConfig) -> Estimate:
    left = planned - already
    characters = sum(len(message.content) for message in typical.messages)
    row = Estimate(stage, typical.model, planned, already)
    row.input_tokens = left * (characters // CHARACTERS_PER_TOKEN)
    row.output_tokens = left * EXPECTED_OUTPUT[stage]
    row.usd = priced(row, config)
    return row


def _filled_up(grown: Grown, config: BuildConfig) -> Iterator[Request]:
    there = Counter((request.topic, request.level) for request in grown.requests)
    for request in grown.requests:
        yield _phrased(request, config) if is_rewritten(request, config) else request
    for cell in grown.cells:
        for number in range(_to_come(cell)):
            name = f"{cell.topic}-L{cell.level.value}-{there[cell.topic, cell.level] + number + 1000}"
            stand_in = Request(name, cell.topic, cell.level, _text(name), source="generated")
            yield _phrased(stand_in, config)


def _phrased(request: Request, config: BuildConfig) -> Request:
    there = {paraphrase.number: paraphrase for paraphrase in request.paraphrases}
    wanted = enumerate(kinds_of(request, config.paraphrases), start=1)
    return replace(
        request,
        paraphrases=tuple(
            there.get(number) or Paraphrase(kind, _text(f"{request.request_id} {number}"), number)
            for number, kind in wanted
        ),
    )


def _text(name: str) -> str:
    return name.ljust(TYPICAL_CHARACTERS, "x")
