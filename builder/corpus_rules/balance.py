"""A complete corpus has the same cells in every topic: 5, 5, 10, 5, 5 requests, each with two paraphrases."""

from collections import Counter
from collections.abc import Iterator, Sequence

from builder.corpus_file import Complaint
from builder.counted import counted
from schemas.records import Request
from schemas.vocabulary import HarmLevel, ParaphraseKind, Topic

PER_CELL = {
    HarmLevel.EDUCATIONAL: 5,
    HarmLevel.EDGY: 5,
    HarmLevel.TWO_SIDED: 10,
    HarmLevel.LIKELY_HARMFUL: 5,
    HarmLevel.PLAINLY_HARMFUL: 5,
}
PARAPHRASES = 2
KIND_PER_TOPIC = 10
KIND_SLACK = 2


def check_balance(requests: Sequence[Request]) -> Iterator[Complaint]:
    """Complaints about cells, paraphrase counts and kinds of a corpus that claims to be complete."""
    yield from _cells(requests)
    yield from _paraphrase_counts(requests)
    yield from _kind_counts(requests)


def _cells(requests: Sequence[Request]) -> Iterator[Complaint]:
    found = Counter((request.topic, request.level) for request in requests)
    for topic in Topic:
        for level, wanted in PER_CELL.items():
            if found[topic, level] != wanted:
                advice = f"found {counted(found[topic, level], 'request')}, want {wanted}: add or remove some"
                yield _about_topic(requests, topic, f"level {level.value}", "cell-count", advice)


def _paraphrase_counts(requests: Sequence[Request]) -> Iterator[Complaint]:
    for request in requests:
        if (count := len(request.paraphrases)) != PARAPHRASES:
            advice = f"found {counted(count, 'paraphrase')}, want {PARAPHRASES}"
            yield Complaint(request.file, request.line, request.request_id, "paraphrase-count", advice)


def _kind_counts(requests: Sequence[Request]) -> Iterator[Complaint]:
    found = Counter((request.topic, p.kind) for request in requests for p in request.paraphrases)
    for topic in sorted({request.topic for request in requests}, key=list(Topic).index):
        for kind in ParaphraseKind:
            if abs(found[topic, kind] - KIND_PER_TOPIC) > KIND_SLACK:
                low, high = KIND_PER_TOPIC - KIND_SLACK, KIND_PER_TOPIC + KIND_SLACK
                there = counted(found[topic, kind], "paraphrase")
                advice = f"found {there} of kind {kind}, want {low} to {high}: change some kinds"
                yield _about_topic(requests, topic, "file", "kind-balance", advice)


def _about_topic(requests: Sequence[Request], topic: Topic, item: str, rule: str, advice: str) -> Complaint:
    first = next((request for request in requests if request.topic == topic), None)
    file, line = (f"{topic}.yaml", 1) if first is None else (first.file, first.line)
    return Complaint(file, line, item, rule, advice)
