"""No id twice, no text twice, and no text that differs from another in case, spaces and punctuation alone."""

from collections.abc import Iterator, Sequence

from builder.corpus_file import Complaint
from builder.corpus_rules.texts import CorpusText, texts_of
from builder.similarity.grams import normalise
from schemas.records import Request


def check_uniqueness(requests: Sequence[Request]) -> Iterator[Complaint]:
    """A complaint about each id and each text that was met before."""
    yield from _ids(requests)
    seen: dict[str, CorpusText] = {}
    for item in texts_of(requests):
        first = seen.setdefault(normalise(item.text), item)
        if first is item:
            continue
        if first.text == item.text:
            yield item.complain("same-text", f"word for word the text of {first.name}: write another")
        else:
            advice = f"differs from {first.name} in case, spaces or punctuation alone: write another"
            yield item.complain("same-text-normalised", advice)


def _ids(requests: Sequence[Request]) -> Iterator[Complaint]:
    seen: dict[str, Request] = {}
    for request in requests:
        first = seen.setdefault(request.request_id, request)
        if first is not request:
            advice = f"the id is taken by {first.file}:{first.line}: number this one anew"
            yield Complaint(request.file, request.line, request.request_id, "same-id", advice)
