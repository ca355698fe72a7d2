"""A paraphrase is neither a near-copy of its base nor a text that belongs to another request.

The upper limits stand well above what the bundled paraphrases reach and well below a text with a few words swapped.
Lexically a lower limit says little, for a good paraphrase may share hardly a word with its base; what can be seen is a
paraphrase that resembles *another* request far more than its own. Drift in meaning is the embedding band's to find.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from builder.corpus_file import Complaint
from builder.corpus_rules.texts import CorpusText, brief, texts_of
from builder.similarity.near import pair_similarity
from builder.similarity.weighted import rarity_cosines
from schemas.records import Request

COPY_COSINE = 0.7
COPY_JACCARD = 0.5
MISPLACED_MARGIN = 0.2
REQUESTS_AT_ONCE = 1000


def check_paraphrase_bands(requests: Sequence[Request]) -> Iterator[Complaint]:
    """Complaints about paraphrases outside the band, against their own base and against the other bases.

    Of a corpus of more than a thousand requests those are the bases of the same thousand: lists slip by a few places.
    """
    for start in range(0, len(requests), REQUESTS_AT_ONCE):
        block = requests[start : start + REQUESTS_AT_ONCE]
        items = [item for item in texts_of(block) if item.variant]
        if items:
            yield from _near_copies(items)
            yield from _misplaced(items, block)


def _near_copies(items: Sequence[CorpusText]) -> Iterator[Complaint]:
    cosines, jaccards = pair_similarity([item.text for item in items], [item.request.text for item in items])
    for item, cosine, jaccard in zip(items, cosines, jaccards, strict=True):
        if cosine >= COPY_COSINE or jaccard >= COPY_JACCARD:
            near = f"n-gram cosine {cosine:.2f} (limit {COPY_COSINE}), word Jaccard {jaccard:.2f} ({COPY_JACCARD})"
            yield item.complain("paraphrase-copy", f"a near-copy of its base: {near}: change the form, not a few words")


def _misplaced(items: Sequence[CorpusText], requests: Sequence[Request]) -> Iterator[Complaint]:
    cosines = rarity_cosines([item.text for item in items], [request.text for request in requests])
    place = {id(request): column for column, request in enumerate(requests)}
    own = np.array([place[id(item.request)] for item in items])
    ours = cosines[np.arange(len(items)), own].copy()
    cosines[np.arange(len(items)), own] = -1.0
    nearest = cosines.argmax(axis=1)
    for row, item in enumerate(items):
        if cosines[row, nearest[row]] - ours[row] >= MISPLACED_MARGIN:
            other = requests[nearest[row]]
            advice = f"resembles {other.request_id} {brief(other.text)} far more than its own base: move or rewrite it"
            yield item.complain("paraphrase-misplaced", advice)
