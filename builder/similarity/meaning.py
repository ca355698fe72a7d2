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
ROWS_AT_ONCE = 1000


class CorpusMeaning(NamedTuple):
    """The texts of a corpus and their unit vectors, one row a text: the product of two rows is their cosine."""

    items: tuple[CorpusText, ...]
    rows: NDArray[np.float32]


class BandValue(NamedTuple):
    """Where a paraphrase lies: its meaning and n-gram cosine to its base, and the other base nearest in meaning."""

    item: CorpusText
    meaning: float
    cosine: float
    nearest: CorpusText | None
    nearest_meaning: float


def embed_corpus(requests: Sequence[Request], embed: Embed) -> CorpusMeaning:
    """Every text, embedded once."""
    items = tuple(texts_of(requests))
    return CorpusMeaning(items, embed([item.text for item in items]))


def check_meaning(corpus: CorpusMeaning, limits: MeaningLimits = MEANING) -> tuple[Complaint, ...]:
    """Complaints about paraphrases outside the band and about texts of different requests that say the same."""
    return tuple(
        sorted(
            [*check_band(corpus, limits), *_near_duplicates(corpus, limits)], key=lambda found: (found.file, found.line)
        )
    )


def check_band(corpus: CorpusMeaning, limits: MeaningLimits = MEANING) -> tuple[Complaint, ...]:
    """Complaints about paraphrases outside the band, in corpus order."""
    return tuple(complaint for value in band_values(corpus) for complaint in _outside_band(value, limits))


def band_values(corpus: CorpusMeaning) -> tuple[BandValue, ...]:
    """Where each paraphrase lies, in corpus order."""
    bases = _base_rows(corpus.items)
    columns = np.unique(bases)
    paraphrases = np.flatnonzero([item.variant > 0 for item in corpus.items])
    items = [corpus.items[place] for place in paraphrases]
    cosines, _ = pair_similarity([item.text for item in items], [item.request.text for item in items])
    values: list[BandValue] = []
    for start in range(0, len(items), ROWS_AT_ONCE):
        chosen = paraphrases[start : start + ROWS_AT_ONCE]
        meanings = corpus.rows[chosen] @ corpus.rows[columns].T
        place_of_own = np.searchsorted(columns, bases[chosen])
        own = meanings[np.arange(len(chosen)), place_of_own].copy()
        meanings[np.arange(len(chosen)), place_of_own] = -np.inf
        nearest = meanings.argmax(axis=1)
        for row, place in enumerate(nearest):
            near = float(meanings[row, place])
            other = None if np.isneginf(near) else corpus.items[columns[place]]
            at = start + row
            values.append(
                BandValue(items[at], float(own[row]), float(cosines[at]), other, -1.0 if other is None else near)
            )
    return tuple(values)


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
    bases = _base_rows(corpus.items)
    for start in range(0, len(corpus.items), ROWS_AT_ONCE):
        end = min(start + ROWS_AT_ONCE, len(corpus.items))
        cosines = corpus.rows[start:end] @ corpus.rows[:end].T
        for row, earlier in np.argwhere(cosines >= limits.duplicate):
            later, value = start + int(row), float(cosines[row, earlier])
            if earlier < later and bases[earlier] != bases[later]:
                other = corpus.items[earlier]
                advice = f"meaning {value:.2f} from {other.name} {brief(other.text)}, want less than {limits.duplicate}"
                yield corpus.items[later].complain("near-duplicate-meaning", f"{advice}: rewrite one of them")
