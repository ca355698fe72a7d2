"""Whether texts of the corpus stand, nearly or word for word, in lists of public prompts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from builder.contamination_lists import PublicPrompt, read_prompts
from builder.corpus_rules.texts import CorpusText, texts_of
from builder.similarity.minilm import Embed
from builder.similarity.near import BLOCK, NEAR, Limits, NearIndex, NearPair, pair_similarity
from schemas.records import Request


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
    """All lists, in order of name, with what was compared and from where on it counts as a match."""

    n_texts: int
    limits: Limits
    meaning_model: str | None
    meaning_limit: float | None
    sources: tuple[SourceReport, ...]

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
    """Compares every text of the requests with every prompt of the files; nothing is sampled.

    A pair matches at or above any one of the limits. Raises PromptListError for a list that cannot be read.
    """
    items = list(texts_of(requests))
    search = _Search(items, limits, semantic) if items else None
    reports: dict[str, SourceReport] = {}
    for block in _blocks(prompt for path in files for prompt in read_prompts(path)):
        for prompt in block:
            reports.setdefault(prompt.source, SourceReport(prompt.source)).n_prompts += 1
        if search is not None:
            search.compare(block, reports)
    sources = tuple(reports[name] for name in sorted(reports))
    name, limit = (semantic.name, semantic.limit) if semantic else (None, None)
    return Contamination(len(items), limits, name, limit, sources)


class _Search:
    """The corpus texts, indexed once; each block of prompts is compared with all of them."""

    def __init__(self, items: Sequence[CorpusText], limits: Limits, semantic: Semantic | None) -> None:
        self.items, self.limits, self.semantic = items, limits, semantic
        self.texts = [item.text for item in items]
        self.index = NearIndex(self.texts)
        self.vectors = semantic.embed(self.texts) if semantic else None

    def compare(self, block: Sequence[PublicPrompt], reports: Mapping[str, SourceReport]) -> None:
        """Adds what was found in a block of prompts to the reports of their sources."""
        texts = [prompt.text for prompt in block]
        found = self.index.compare(texts, self.limits)
        meaning = self._meaning(texts)
        for row, prompt in enumerate(block):
            reports[prompt.source].raise_maxima(
                float(found.best_cosine[row]),
                float(found.best_jaccard[row]),
                None if meaning is None else float(meaning[row].max()),
            )
        for pair in (*found.pairs, *self._alike_in_meaning_alone(texts, meaning, found.pairs)):
            prompt, item = block[pair.left], self.items[pair.right]
            said = None if meaning is None else float(meaning[pair.left, pair.right])
            reports[prompt.source].matches.append(
                Match(item.name, item.text, prompt.source, prompt.row, prompt.text, pair.cosine, pair.jaccard, said)
            )

    def _meaning(self, texts: Sequence[str]) -> NDArray[np.float32] | None:
        if self.semantic is None or self.vectors is None:
            return None
        return np.asarray(self.semantic.embed(texts) @ self.vectors.T)

    def _alike_in_meaning_alone(
        self, texts: Sequence[str], meaning: NDArray[np.float32] | None, known: Iterable[NearPair]
    ) -> Iterator[NearPair]:
        if meaning is None or self.semantic is None:
            return
        seen = {(pair.left, pair.right) for pair in known}
        places = [(int(row), int(column)) for row, column in np.argwhere(meaning >= self.semantic.limit)]
        new = [place for place in places if place not in seen]
        cosines, jaccards = pair_similarity([texts[row] for row, _ in new], [self.texts[column] for _, column in new])
        for (row, column), cosine, jaccard in zip(new, cosines, jaccards, strict=True):
            yield NearPair(row, column, float(cosine), float(jaccard))


def _blocks(prompts: Iterator[PublicPrompt]) -> Iterator[list[PublicPrompt]]:
    while block := list(islice(prompts, BLOCK)):
        yield block
