"""The order of growing: generate → validate (and rate) → paraphrase → validate → verify."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from annotation.pairs import summarised
from builder.growth.aids import NO_AIDS, Aids
from builder.growth.candidates import Look
from builder.growth.fill import fill
from builder.growth.records import Grown, Step, Steps
from builder.growth.rephrase import rephrase
from builder.growth.verifying import verify_all
from builder.paraphrase_pairs import pairs_of
from schemas.config import BuildConfig
from schemas.records import Request

T = TypeVar("T")


def grow(corpus: Sequence[Request], config: BuildConfig, look: Look, aids: Aids = NO_AIDS) -> Steps[Grown]:
    """The corpus of a build, step by step: after each step its requests are expected to be on record where they can.

    `look` gives the completion of a key if there is one. The same record and aids give the same corpus. Without a
    generator and a verifier there is no step.
    """
    filled = yield from fill(corpus, config, look)
    phrased = yield from rephrase(filled.requests, config, look, aids)
    verified = yield from verify_all(phrased.requests, phrased.written, config, look)
    return Grown(
        requests=phrased.requests,
        cells=filled.cells,
        candidates=filled.candidates,
        attempts=phrased.attempts,
        paraphrases_wanted=phrased.wanted,
        verifications=verified,
        meaning=aids.model,
        people=summarised(list(pairs_of(phrased.requests)), aids.checks) if aids.checks else None,
        keys=filled.keys | phrased.keys | {verification.key for verification in verified},
    )


def take_steps(steps: Steps[T], meet: Callable[[Step], None]) -> T:
    """What the steps come to after `meet` was called with each of them that asks for something."""
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
        if step.asks:
            meet(step)


def grown_on_record(corpus: Sequence[Request], config: BuildConfig, look: Look, aids: Aids = NO_AIDS) -> Grown:
    """The corpus as far as the record goes; nobody is asked."""
    return take_steps(grow(corpus, config, look, aids), lambda _step: None)
