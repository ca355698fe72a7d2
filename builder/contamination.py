"""Whether texts of the corpus stand, nearly or word for word, in lists of public prompts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from builder.contamination_lists import PublicPrompt, count_prompts, read_prompts
from builder.corpus_rules.texts import CorpusText, texts_of
from builder.similarity.minilm import Embed
from builder.similarity.near import BLOCK, MAX_CELLS, NEAR, Limits, NearIndex, NearPair, pair_similarity
from builder.similarity.search import HashedIndex
from schemas.records import Request

EVERY_PAIR = 500_000_000


class Semantic(NamedTuple):
    """An embedding with unit rows, its name, and the cosine from where on two texts say the same."""

    name: str
    embed: Embed
    limit: float


class Match(NamedTuple):
    """A corpus text near a public prompt. `meaning` is None if no embedding was compared."""

    item: str
    text: str
    source: str
    row: int
    prompt: str
    cosine: float
    jaccard: float
    meaning: float | None


@dataclass(slots=True)
class SourceReport:
    """One public list: how many prompts were compared, what matched, and the highest values met."""

    source: str
    n_prompts: int = 0
    matches: list[Match] = field(default_factory=list)
    max_cosine: float = 0.0
    max_jaccard: float = 0.0
    max_meaning: float | None = None

    def raise_maxima(self, cosine: float, jaccard: float, meaning: float | None) -> None:
        """Take note of the highest values one more prompt has met with any corpus text."""
        self.max_cosine, self.max_jaccard = max(self.max_cosine, cosine), max(self.max_jaccard, jaccard)
        if meaning is not None:
            self.max_meaning = meaning if self.max_meaning is None else max(self.max_meaning, meaning)


@dataclass(frozen=True, slots=True)
class Contamination:
    """All lists, in order of name, with what was compared and from where on it counts as a match.

    `exhaustive` says whether every pair was compared, or those that MinHash brings together, as for large corpora; the
    highest values are those of the pairs compared.
    """

    n_texts: int
    limits: Limits
    meaning_model: str | None
    meaning_limit: float | None
    sources: tuple[SourceReport, ...]
    exhaustive: bool = True

    @property
    def matches(self) -> tuple[Match, ...]:
        """Every match, by source, row and text."""
        return tuple(match for source in self.sources for match in source.matches)


def check_contamination(
    requests: Sequence[Request],
    files: Sequence[Path],
    *,
    limits: Limits = NEAR,
    semantic: Semantic | None = None,
) -> Contamination:
    """Compares the texts of the requests with the prompts of the files.

    A pair matches at or above any one of the limits. Up to `EVERY_PAIR` pairs each is compared, of more those that
    MinHash brings together. Raises PromptListError for a list that cannot be read, before anything is compared.
    """
    n_prompts = count_prompts(files)
    items = list(texts_of(requests))
    search = _Search(items, n_prompts, limits, semantic) if items else None
    reports: dict[str, SourceReport] = {}
    size = BLOCK if search is None else search.block_size
    for block in _blocks((prompt for path in files for prompt in read_prompts(path)), size):
        for prompt in block:
            reports.setdefault(prompt.source, SourceReport(prompt.source)).n_prompts += 1
        if search is not None:
            search.compare(block, reports)
    sources = tuple(reports[name] for name in sorted(reports))
    name, limit = (semantic.name, semantic.limit) if semantic else (None, None)
    return Contamination(len(items), limits, name, limit, sources, search is None or search.exhaustive)


class _BlockMeaning(NamedTuple):
    """The unit rows of a block of prompts and of the corpus, each prompt's best cosine, and the pairs at the limit."""

    rows: NDArray[np.float32]
    columns: NDArray[np.float32]
    best: NDArray[np.float32]
    alike: tuple[tuple[int, int], ...]


class _Search:
    """The corpus texts, indexed once; each block of prompts is compared with all of them."""

    def __init__(self, items: Sequence[CorpusText], n_prompts: int, limits: Limits, semantic: Semantic | None) -> None:
        self.items, self.limits, self.semantic = items, limits, semantic
        self.texts = [item.text for item in items]
        self.exhaustive = len(items) * n_prompts <= EVERY_PAIR
        self.index: NearIndex | HashedIndex = NearIndex(self.texts) if self.exhaustive else HashedIndex(self.texts)
        self.vectors = semantic.embed(self.texts) if semantic else None

    @property
    def block_size(self) -> int:
        """Prompts that are best compared at once."""
        return BLOCK if self.exhaustive else max(BLOCK, len(self.texts))

    def compare(self, block: Sequence[PublicPrompt], reports: Mapping[str, SourceReport]) -> None:
        """Adds what was found in a block of prompts to the reports of their sources."""
        texts = [prompt.text for prompt in block]
        found = self.index.compare(texts, self.limits)
        meaning = self._meaning(texts)
        for row, prompt in enumerate(block):
            best = None if meaning is None else float(meaning.best[row])
            reports[prompt.source].raise_maxima(float(found.best_cosine[row]), float(found.best_jaccard[row]), best)
        for pair in (*found.pairs, *self._alike_in_meaning_alone(texts, meaning, found.pairs)):
            prompt, item = block[pair.left], self.items[pair.right]
            said = None if meaning is None else float(meaning.rows[pair.left] @ meaning.columns[pair.right])
            reports[prompt.source].matches.append(
                Match(item.name, item.text, prompt.source, prompt.row, prompt.text, pair.cosine, pair.jaccard, said)
            )

    def _meaning(self, texts: Sequence[str]) -> _BlockMeaning | None:
        if self.semantic is None or self.vectors is None:
            return None
        rows = self.semantic.embed(texts)
        best, alike = np.zeros(len(texts), dtype=np.float32), []
        size = max(1, MAX_CELLS // len(self.vectors))
        for start in range(0, len(texts), size):
            cosines = rows[start : start + size] @ self.vectors.T
            best[start : start + size] = cosines.max(axis=1)
            near = np.argwhere(cosines >= self.semantic.limit)
            alike += [(start + int(row), int(column)) for row, column in near]
        return _BlockMeaning(rows, self.vectors, best, tuple(alike))

    def _alike_in_meaning_alone(
        self, texts: Sequence[str], meaning: _BlockMeaning | None, known: Iterable[NearPair]
    ) -> Iterator[NearPair]:
        if meaning is None:
            return
        seen = {(pair.left, pair.right) for pair in known}
        new = [place for place in meaning.alike if place not in seen]
        cosines, jaccards = pair_similarity([texts[row] for row, _ in new], [self.texts[column] for _, column in new])
        for (row, column), cosine, jaccard in zip(new, cosines, jaccards, strict=True):
            yield NearPair(row, column, float(cosine), float(jaccard))


def _blocks(prompts: Iterator[PublicPrompt], size: int) -> Iterator[list[PublicPrompt]]:
    while block := list(islice(prompts, size)):
        yield block
