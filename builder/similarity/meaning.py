"""What an embedding can say of a corpus: paraphrases that left their subject, and texts that say the same twice.

An embedding cannot tell a paraphrase from its evil or innocent twin (the same words with another intent): on the
labelled pairs it even ranks the twin higher. Intent and level are for a model or a person to check.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from builder.corpus_file import Complaint
from builder.corpus_rules.texts import CorpusText, brief, texts_of
from builder.similarity.minilm import Embed
from builder.similarity.near import pair_similarity
from schemas.records import Request


class MeaningLimits(NamedTuple):
    """Set on the labelled pairs (docs/corpus.md). A paraphrase's cosine to its base lies from `drift` up to `copy`.

    It is above its n-gram cosine by at least `surplus`: it shares more meaning than words. No other base is nearer by
    `margin`. Two requests whose texts reach `duplicate` say the same.
    """

    drift: float = 0.25
    copy: float = 0.92
    surplus: float = 0.08
    margin: float = 0.25
    duplicate: float = 0.80


MEANING = MeaningLimits()


class CorpusMeaning(NamedTuple):
    """The texts of a corpus and the cosine of each with each."""

    items: tuple[CorpusText, ...]
    cosines: NDArray[np.float32]


class BandValue(NamedTuple):
    """Where a paraphrase lies: its meaning and n-gram cosine to its base, and the other base nearest in meaning."""

    item: CorpusText
    meaning: float
    cosine: float
    nearest: CorpusText | None
    nearest_meaning: float


def embed_corpus(requests: Sequence[Request], embed: Embed) -> CorpusMeaning:
    """Every text, embedded once, compared with every other (dense: meant for thousands of texts)."""
    items = tuple(texts_of(requests))
    rows = embed([item.text for item in items])
    return CorpusMeaning(items, np.asarray(rows @ rows.T))


def check_meaning(corpus: CorpusMeaning, limits: MeaningLimits = MEANING) -> tuple[Complaint, ...]:
    """Complaints about paraphrases outside the band and about texts of different requests that say the same."""
    outside = [complaint for value in band_values(corpus) for complaint in _outside_band(value, limits)]
    return tuple(sorted([*outside, *_near_duplicates(corpus, limits)], key=lambda found: (found.file, found.line)))


def band_values(corpus: CorpusMeaning) -> tuple[BandValue, ...]:
    """Where each paraphrase lies, in corpus order."""
    bases = _base_rows(corpus.items)
    columns = np.unique(bases)
    cosines, _ = pair_similarity([item.text for item in corpus.items], [item.request.text for item in corpus.items])
    values = []
    for row, item in enumerate(corpus.items):
        if item.variant:
            others = columns[columns != bases[row]]
            place = int(others[corpus.cosines[row, others].argmax()]) if len(others) else None
            nearest, near = (None, -1.0) if place is None else (corpus.items[place], float(corpus.cosines[row, place]))
            own = float(corpus.cosines[row, bases[row]])
            values.append(BandValue(item, own, float(cosines[row]), nearest, near))
    return tuple(values)


def different_requests(corpus: CorpusMeaning) -> NDArray[np.bool_]:
    """For each pair of texts, counted once (later text, earlier text), whether they belong to different requests."""
    bases = _base_rows(corpus.items)
    return np.tril(bases[:, np.newaxis] != bases[np.newaxis, :], k=-1)


def _base_rows(items: Sequence[CorpusText]) -> NDArray[np.int64]:
    rows = {id(item.request): row for row, item in enumerate(items) if item.variant == 0}
    return np.array([rows[id(item.request)] for item in items], dtype=np.int64)


def _outside_band(value: BandValue, limits: MeaningLimits) -> Iterator[Complaint]:
    item, own = value.item, value.meaning
    if own < limits.drift:
        yield item.complain("paraphrase-drift", f"meaning {own:.2f} from its base, want {limits.drift} at least")
    elif own >= limits.copy:
        yield item.complain("paraphrase-copy", f"meaning {own:.2f} from its base, want less than {limits.copy}")
    elif own - value.cosine < limits.surplus:
        advice = f"meaning {own:.2f} is hardly above the n-gram cosine {value.cosine:.2f}: same words, another subject"
        yield item.complain("paraphrase-drift", advice)
    if value.nearest is not None and value.nearest_meaning - own >= limits.margin:
        advice = f"means rather what {value.nearest.name} {brief(value.nearest.text)} means: move or rewrite it"
        yield item.complain("paraphrase-misplaced", advice)


def _near_duplicates(corpus: CorpusMeaning, limits: MeaningLimits) -> Iterator[Complaint]:
    for later, earlier in np.argwhere((corpus.cosines >= limits.duplicate) & different_requests(corpus)):
        other = corpus.items[earlier]
        value = float(corpus.cosines[later, earlier])
        advice = f"meaning {value:.2f} from {other.name} {brief(other.text)}, want less than {limits.duplicate}"
        yield corpus.items[later].complain("near-duplicate-meaning", f"{advice}: rewrite one of them")
