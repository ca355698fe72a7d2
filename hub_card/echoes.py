"""Finds pieces of withheld texts where they are not expected: a judge's quote elsewhere, an error message, a card."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import chain

import numpy as np

from hub_card.passages import NONE, passages, standing_in
from hub_card.windows import Hashes, HashSet, aligned_hashes, batches, hits

PIECE = 40
GRAM = PIECE // 2
GROUP = 4_000_000

Texts = Callable[[], Iterable[str]]


class Echoes:
    """Finds texts that hold 40 characters in a row (or all, if it has fewer) of a withheld text.

    Pieces that also stand in a text published by rule are no echoes, nor are texts of less than 20 characters. Both
    kinds of texts are read again for each search that needs them; kept are 8 bytes for 20 of a withheld text.
    """

    def __init__(self, withheld: Texts, published: Texts) -> None:
        self._withheld, self._published = withheld, published
        # Every piece of 40 characters contains 20 bytes that start at a multiple of 20 bytes of the withheld text.
        grams: list[Hashes] = []
        short: dict[int, list[Hashes]] = defaultdict(list)
        for batch in batches(withheld()):
            grams.append(aligned_hashes(batch, GRAM))
            for width in range(GRAM, PIECE):
                short[width].append(passages([text for text in batch if len(text) == width], width).hashes)
        self._grams = HashSet(grams)
        self._short = {width: HashSet(hashes) for width, hashes in short.items()}

    def among(self, texts: Iterable[str]) -> set[str]:
        """Those of the texts that hold a piece of a withheld text."""
        if not len(self._grams):
            return set()
        return set(chain.from_iterable(map(self._echoing, batches(self._suspects(texts), GROUP))))

    def _suspects(self, texts: Iterable[str]) -> list[str]:
        found: dict[str, None] = {}
        for batch in batches(texts):
            found |= dict.fromkeys(batch[at] for at, _ in hits(batch, self._grams, GRAM, 1))
        return list(found)

    def _echoing(self, suspects: list[str]) -> set[str]:
        held = standing_in(self._withheld(), {PIECE: HashSet([passages(suspects, PIECE).hashes])})
        held |= standing_in(suspects, {width: texts for width, texts in self._short.items() if len(texts)})
        public = standing_in(self._published(), {width: HashSet([hashes]) for width, hashes in held.items()})
        found: set[str] = set()
        for width, hashes in held.items():
            secret = HashSet([np.setdiff1d(hashes, public.get(width, NONE))])
            said = passages(suspects, width)
            found.update(suspects[at] for at in np.unique(said.owner[secret.positions(said.hashes)]).tolist())
        return found
