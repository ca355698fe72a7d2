"""Filling cells with proposed requests: rounds of calls, each planned from what the ones before it left missing."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from builder.growth.candidates import Look, candidates_of, rated, rating_ask, sifted
from builder.growth.codebook_rows import codebook_examples
from builder.growth.filling import Filling, account, empty_cells, ended, requests_of
from builder.growth.records import Candidate, CellAccount, Step, Steps
from builder.growth.reply import End
from builder.stages import generate
from builder.stages.generate import CANDIDATES
from builder.transports.protocol import Ask
from schemas.config import BuildConfig
from schemas.key import key_of
from schemas.records import Request
from schemas.vocabulary import HarmLevel, Topic

ROUNDS = 6


class Filled(NamedTuple):
    """The requests of every cell in order, what became of each candidate, each cell's account, all calls' keys."""

    requests: tuple[Request, ...]
    candidates: tuple[Candidate, ...] = ()
    cells: tuple[CellAccount, ...] = ()
    keys: frozenset[str] = frozenset()


def fill(corpus: Sequence[Request], config: BuildConfig, look: Look) -> Steps[Filled]:
    """The base requests of a build: bundled ones as chosen, and generated ones where the source says so.

    `look` gives the completion of a key if there is one. A cell with a call that has no answer stops there, so that
    the next run takes what it brings in the same order.
    """
    bundled = () if config.source == "generate" else generate.plan(corpus, config)
    if config.source == "bundled" or config.generator is None:
        return Filled(bundled)
    cells, keys = empty_cells(corpus, bundled, config), set[str]()
    known = [*corpus, *_shown_examples()]
    for _ in range(ROUNDS):
        short = [cell for cell in cells if cell.missing and not cell.waiting]
        if not short:
            break
        proposed = yield from _propose(short, corpus, config.generator, look)
        fresh = sifted(proposed, known)
        if config.verify_with is not None:
            asks = [rating_ask(config.verify_with, item.text) for item in fresh if item.status == "waiting"]
            keys.update(ask.key for ask in asks)
            yield Step("verify", tuple(asks))
            fresh = [rated(item, config.verify_with, look) for item in fresh]
        for cell in short:
            known += cell.take(fresh)
    keys.update(ask.key for cell in cells for ask in cell.calls)
    return _filled(bundled, cells, config.generator, frozenset(keys))


def _propose(short: Sequence[Filling], corpus: Sequence[Request], generator: str, look: Look) -> Steps[list[Candidate]]:
    asked: list[tuple[Filling, int, Ask]] = []
    for filling in short:
        for _ in range(-(-filling.missing // CANDIDATES)):
            request = generate.ask(generator, filling.cell, len(filling.calls) + 1, corpus)
            filling.calls.append(Ask("generate", key_of(request), request))
            asked.append((filling, len(filling.calls), filling.calls[-1]))
    yield Step("generate", tuple(ask for _, _, ask in asked))
    found: list[Candidate] = []
    for filling, call, ask in asked:
        answer = generate.read(look(ask.key))
        filling.ends.append(answer.end)
        filling.waiting |= answer.end is End.UNANSWERED
        found += candidates_of(filling.cell, call, ask.key, answer.proposals)
    waiting = {filling.cell for filling in short if filling.waiting}
    return [item for item in found if (item.topic, item.level) not in waiting]


def _shown_examples() -> Iterator[Request]:
    """What every prompt shows and a generator may repeat; only the texts count here."""
    for number, text in enumerate(codebook_examples(), start=1):
        yield Request(f"codebook-example-{number}", next(iter(Topic)), next(iter(HarmLevel)), text)


def _filled(bundled: Sequence[Request], cells: Sequence[Filling], generator: str, keys: frozenset[str]) -> Filled:
    requests: list[Request] = []
    for filling in cells:
        requests += [request for request in bundled if filling.cell == (request.topic, request.level)]
        requests += requests_of(filling, generator)
    candidates = tuple(item for filling in cells for item in ended(filling))
    return Filled(tuple(requests), candidates, tuple(account(filling) for filling in cells), keys)
