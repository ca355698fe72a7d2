"""Every paraphrase of the final corpus beside its base, as the verifier saw them."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from builder.growth.candidates import Look
from builder.growth.records import Step, Steps, Verification
from builder.stages import paraphrase, verify
from builder.transports.protocol import Ask
from schemas.chat import Completion
from schemas.config import BuildConfig
from schemas.key import key_of
from schemas.records import Request, Variant
from schemas.vocabulary import ParaphraseKind


class Pair(NamedTuple):
    """A paraphrase, its kind, its request, and the question about the two."""

    request: Request
    variant: Variant
    kind: ParaphraseKind
    ask: Ask


def verify_all(
    requests: Sequence[Request], written: Collection[str], config: BuildConfig, look: Look
) -> Steps[tuple[Verification, ...]]:
    """A verification of each paraphrase, in corpus order; none without a verifier.

    Those of the requests in `written` were asked about while they were written.
    """
    if config.verify_with is None:
        return ()
    pairs = list(_pairs(requests, config.verify_with))
    yield Step("verify", tuple(pair.ask for pair in pairs if pair.request.request_id not in written))
    return tuple(_verification(pair, pair.request.request_id in written, look(pair.ask.key)) for pair in pairs)


def _pairs(requests: Sequence[Request], verifier: str) -> Iterator[Pair]:
    for request in requests:
        for variant in paraphrase.plan([request]):
            if variant.kind is not None:
                asked = verify.ask(verifier, request.text, variant.text)
                yield Pair(request, variant, variant.kind, Ask("verify", key_of(asked), asked))


def _verification(pair: Pair, generated: bool, completion: Completion | None) -> Verification:
    checked = verify.read(pair.request.text, pair.variant.text, completion)
    return Verification(
        variant_id=pair.variant.variant_id,
        topic=pair.request.topic,
        level=pair.request.level,
        kind=pair.kind,
        generated=generated,
        verdict=checked.verdict,
        key=pair.ask.key,
        same_intent=checked.same_intent,
        base_level=checked.base_level,
        paraphrase_level=checked.paraphrase_level,
        reason=checked.reason,
    )
