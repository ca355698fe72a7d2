"""What growing heeds beside the answers of models: an embedding, and what people said of paraphrases."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from builder.journal.store import Journal
from builder.similarity.minilm import NAME, Embed, SimilarityModelError, load_minilm
from schemas.config import BuildConfig
from schemas.records import ParaphraseCheck


class Aids(NamedTuple):
    """An embedding with its name, None where it is not installed or not wanted, and people's answers, oldest first."""

    embed: Embed | None = None
    model: str | None = None
    checks: tuple[ParaphraseCheck, ...] = ()


NO_AIDS = Aids()


def aids_of(config: BuildConfig, journal: Journal | None) -> Aids:
    """The aids of a build; the embedding is loaded where paraphrases are to be written and its extra is installed."""
    checks = () if journal is None else tuple(journal.paraphrase_checks())
    embed = _embedding() if config.grows else None
    return Aids(embed, None if embed is None else NAME, checks)


@cache
def _embedding() -> Embed | None:
    try:
        return remembered(load_minilm())
    except SimilarityModelError:
        return None


def remembered(embed: Embed) -> Embed:
    """The embedding, asked once for each text: growing looks at the same texts in every round."""
    known: dict[str, NDArray[np.float32]] = {}

    def rows(texts: Sequence[str]) -> NDArray[np.float32]:
        new = list(dict.fromkeys(text for text in texts if text not in known))
        known.update(zip(new, embed(new), strict=True))
        return np.stack([known[text] for text in texts]) if texts else np.empty((0, 0), dtype=np.float32)

    return rows
