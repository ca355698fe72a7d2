"""Texts of *different* requests must not be lexical near-duplicates of each other."""

from collections.abc import Iterator, Sequence

from builder.corpus_file import Complaint
from builder.corpus_rules.texts import brief, texts_of
from builder.similarity.grams import normalise
from builder.similarity.near import NEAR
from builder.similarity.search import near_pairs_within
from schemas.records import Request


def check_near_duplicates(requests: Sequence[Request]) -> Iterator[Complaint]:
    """A complaint about the later text of each pair at or above a limit; equal texts are left to uniqueness."""
    items = list(texts_of(requests))
    texts = [item.text for item in items]
    for pair in near_pairs_within(texts, NEAR):
        item, other = items[pair.left], items[pair.right]
        if item.request is other.request or normalise(item.text) == normalise(other.text):
            continue
        advice = (
            f"too near to {other.name} {brief(other.text)}: n-gram cosine {pair.cosine:.2f} (limit {NEAR.cosine}), "
            f"word Jaccard {pair.jaccard:.2f} (limit {NEAR.jaccard}): rewrite one of them"
        )
        yield item.complain("near-duplicate", advice)
