"""Diversity: distinct n-grams, mean similarity of pairs, and the texts of different requests that are nearest."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from builder.corpus_report.sampled import mean_interval, nearest_pairs
from builder.corpus_report.section import Cell, Section, Table, records, rounded
from builder.corpus_rules.texts import CorpusText, texts_of
from builder.similarity.grams import count_grams, normalise, unit_rows, vocabulary
from builder.similarity.meaning import CorpusMeaning
from schemas.records import Request
from schemas.vocabulary import HarmLevel

NEAREST = 12
COMPARED = 1000
_DISTINCT = ("texts", "n texts", "n words", "distinct-1", "distinct-2", "distinct-3")
_PAIRS = ("pairs of base texts", "n pairs", "mean n-gram cosine", "mean meaning")
_NEAREST = ("value", "request", "text", "nearest to", "its text")


def diversity_section(requests: Sequence[Request], meaning: CorpusMeaning | None) -> Section:
    """Distinct-n by level, mean pairwise similarity within and across topics, nearest neighbours."""
    items, shown = list(texts_of(requests)), _sampled(requests)
    groups = {"base": [r.text for r in requests], "all": [item.text for item in items]}
    groups |= {f"base, level {level.value}": [r.text for r in requests if r.level == level] for level in HarmLevel}
    distinct = tuple(_distinct(name, texts) for name, texts in groups.items())
    compared = list(texts_of(shown))
    lexical = _lexical_cosines(compared)
    semantic = None if meaning is None else _meaning_cosines(meaning, shown)
    pairs = tuple(_pair_rows(compared, lexical, semantic))
    nearest = _nearest(compared, lexical)
    if len(shown) < len(requests):
        nearest = _with_nearest_of_all(nearest, items)
    tables = [
        Table(
            "Distinct n-grams", _DISTINCT, distinct, "Distinct word n-grams over all word n-grams; falls with n words."
        ),
        Table("Mean similarity of two base texts", _PAIRS, pairs),
        Table("Nearest texts of different requests: n-gram cosine", _NEAREST, nearest),
    ]
    data: dict[str, object] = {
        "distinct": records(_DISTINCT, distinct),
        "pairs": records(_PAIRS, pairs),
        "nearest_by_words": records(_NEAREST, nearest),
    }
    if semantic is not None:
        by_meaning = _nearest(compared, np.asarray(semantic, dtype=np.float64))
        tables.append(Table("Nearest texts of different requests: meaning", _NEAREST, by_meaning))
        data["nearest_by_meaning"] = records(_NEAREST, by_meaning)
    paragraphs: tuple[str, ...] = ()
    if len(shown) < len(requests):
        intervals = _intervals(compared, lexical)
        data |= {"n_requests_compared": len(shown), "mean_cosine_95": intervals, "nearest_of_n_texts": len(items)}
        told = "; ".join(f"{name} {low:.4f} to {high:.4f}" for name, (low, high) in intervals.items())
        paragraphs = (
            f"Pairs are those of {len(shown)} of the {len(requests)} requests, evenly spread over the corpus; 95 % "
            f"intervals of the mean n-gram cosine in all of it: {told}.",
            f"Nearest by n-gram cosine are those of these and of all {len(items)} texts that MinHash brings together.",
        )
    return Section("diversity", "Diversity", paragraphs, tuple(tables), data)


def distinct_share(texts: Sequence[str], size: int) -> float | None:
    """Distinct word n-grams over all word n-grams of the texts (Li et al. 2016, doi:10.18653/v1/N16-1014)."""
    found = [gram for text in texts for gram in _word_grams(normalise(text).split(), size)]
    return rounded(len(set(found)) / len(found)) if found else None


def _sampled(requests: Sequence[Request]) -> Sequence[Request]:
    """At most `COMPARED` requests, evenly spread: a table of all pairs of many thousands would fit no memory."""
    if len(requests) <= COMPARED:
        return requests
    return [requests[place] for place in np.linspace(0, len(requests) - 1, COMPARED).astype(int)]


def _meaning_cosines(meaning: CorpusMeaning, shown: Sequence[Request]) -> NDArray[np.float32]:
    wanted = {id(request) for request in shown}
    rows = meaning.rows[np.flatnonzero([id(item.request) in wanted for item in meaning.items])]
    return np.asarray(rows @ rows.T)


def _word_grams(words: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(size)), strict=False)


def _distinct(name: str, texts: Sequence[str]) -> tuple[Cell, ...]:
    n_words = sum(len(normalise(text).split()) for text in texts)
    return (name, len(texts), n_words, *(distinct_share(texts, size) for size in (1, 2, 3)))


def _lexical_cosines(items: Sequence[CorpusText]) -> NDArray[np.float64]:
    counts = count_grams([normalise(item.text) for item in items])
    rows = unit_rows(counts, vocabulary(counts))
    return np.asarray((rows @ rows.T).toarray())


def _base_pairs(items: Sequence[CorpusText]) -> dict[str, NDArray[np.bool_]]:
    topics = np.array([item.request.topic for item in items])
    bases = np.array([item.variant == 0 for item in items], dtype=bool)
    later = np.tril(np.outer(bases, bases), k=-1)
    same = topics[:, np.newaxis] == topics[np.newaxis, :]
    return {"same topic": later & same, "different topics": later & ~same}


def _pair_rows(
    items: Sequence[CorpusText], lexical: NDArray[np.float64], meaning: NDArray[np.float32] | None
) -> Iterator[tuple[Cell, ...]]:
    for name, chosen in _base_pairs(items).items():
        values = [
            None if part is None or not chosen.any() else rounded(part[chosen].mean()) for part in (lexical, meaning)
        ]
        yield (name, int(chosen.sum()), *values)


def _intervals(items: Sequence[CorpusText], lexical: NDArray[np.float64]) -> dict[str, tuple[float, float]]:
    bases = np.flatnonzero([item.variant == 0 for item in items])
    square = np.ix_(bases, bases)
    found = {name: mean_interval(lexical[square], pairs[square]) for name, pairs in _base_pairs(items).items()}
    return {name: (rounded(limits[0]), rounded(limits[1])) for name, limits in found.items() if limits is not None}


def _with_nearest_of_all(
    sampled: tuple[tuple[Cell, ...], ...], items: list[CorpusText]
) -> tuple[tuple[Cell, ...], ...]:
    found = [
        (rounded(value), ours.name, ours.text, theirs.name, theirs.text)
        for value, ours, theirs in nearest_pairs(items, NEAREST)
    ]
    both = dict.fromkeys((*found, *sampled))
    return tuple(sorted(both, key=lambda row: -float(row[0] or 0))[:NEAREST])


def _nearest(items: Sequence[CorpusText], cosines: NDArray[np.float64]) -> tuple[tuple[Cell, ...], ...]:
    owner = np.array([id(item.request) for item in items])
    later = np.tril(owner[:, np.newaxis] != owner[np.newaxis, :], k=-1)
    values = np.where(later, np.round(cosines, 4), -np.inf)
    order = np.argsort(-values, axis=None, kind="stable")[:NEAREST]
    rows: list[tuple[Cell, ...]] = []
    for row, column in zip(*np.unravel_index(order, values.shape), strict=True):
        if later[row, column]:
            ours, theirs = items[row], items[column]
            rows.append((rounded(values[row, column]), ours.name, ours.text, theirs.name, theirs.text))
    return tuple(rows)
