"""paraphrase: each base request and its paraphrases, as the texts that are sent."""

from collections.abc import Iterable, Iterator

from schemas.records import Request, Variant


def plan(requests: Iterable[Request]) -> tuple[Variant, ...]:
    """The variants of each request in turn: the base text (0), then its paraphrases (1, 2, …)."""
    return tuple(variant for request in requests for variant in _variants(request))


def _variants(request: Request) -> Iterator[Variant]:
    name = request.request_id
    yield Variant(f"{name}-v0", name, 0, None, request.text)
    for number, paraphrase in enumerate(request.paraphrases, start=1):
        yield Variant(f"{name}-v{number}", name, number, paraphrase.kind, paraphrase.text)
