"""The paraphrases of a corpus beside their bases, as people check them."""

from collections.abc import Iterable, Iterator

from annotation.pairs import Pair
from builder.stages import paraphrase
from schemas.records import Request


def pairs_of(requests: Iterable[Request]) -> Iterator[Pair]:
    """Each paraphrase with its base, in corpus order."""
    for request in requests:
        for variant in paraphrase.plan([request]):
            if variant.kind is not None:
                name = variant.variant_id
                yield Pair(name, request.request_id, request.topic, variant.kind, request.text, variant.text)
