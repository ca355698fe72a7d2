"""Finding acts of speech in a sentence: only templates whose words all stand in the sentence are tried."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from annotation.lexical.template import UNSPACED, Lists, Need, Script, Template

INDEXED = 3
REMEMBERED = 50_000


class Entry(NamedTuple):
    """A template, the act it shows and the needs that must be met before it is worth trying, one bit each."""

    act: str
    template: Template
    needs: int


class Grammar:
    """The acts of one part of a language file; `common` are the words that tell nothing, in which it trusts least."""

    def __init__(
        self, acts: Mapping[str, Sequence[str]], lists: Lists, script: Script, common: Collection[str] = ()
    ) -> None:
        self._spaced = script is not UNSPACED
        self._bits: dict[Need, int] = {}
        self._words: dict[str, int] = defaultdict(int)
        self._starts: dict[str, list[tuple[str, int]]] = defaultdict(list)
        self._pieces: list[tuple[str, int]] = []
        self._entries: dict[int, list[Entry]] = defaultdict(list)
        for act, texts in acts.items():
            for text in texts:
                template = Template(text, lists, script)
                needs = reduce(or_, map(self._bit, template.needs))
                rarest = max(template.needs, key=lambda need: _rarity(need, common))
                self._entries[self._bit(rarest)].append(Entry(act, template, needs))
        self._rarest = reduce(or_, self._entries, 0)
        self._all = (1 << len(self._bits)) - 1
        self._met_by = _NeedsMet(self._words, self._starts)

    def _bit(self, need: Need) -> int:
        if need not in self._bits:
            self._bits[need] = 1 << len(self._bits)
            for piece in sorted(need):
                self._index(piece, self._bits[need])
        return self._bits[need]

    def _index(self, piece: str, bit: int) -> None:
        bare = piece.strip("*")
        if not self._spaced or piece.startswith("*") or ("*" in piece and len(bare) < INDEXED):
            self._pieces.append((bare, bit))
        elif "*" in piece:
            self._starts[bare[:INDEXED]].append((bare, bit))
        else:
            self._words[piece] |= bit

    def acts(self, sentence: str, words: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Act → where it is performed in a sentence (in lower case) of these words."""
        met = reduce(or_, filter(None, map(self._met_by.__getitem__, words)), 0) if self._spaced else 0
        for piece, bit in self._pieces:
            if piece in sentence:
                met |= bit
        found: dict[str, tuple[int, int]] = {}
        worth = met & self._rarest
        unmet = self._all ^ met
        while worth:
            bit = worth & -worth
            worth ^= bit
            for act, template, needs in self._entries[bit]:
                if not needs & unmet and act not in found:
                    span = template.search(sentence)
                    if span is not None:
                        found[act] = span
        return found


class _NeedsMet(dict[str, int]):
    """Word → the needs it meets, one bit each; remembers words it has seen."""

    def __init__(self, words: Mapping[str, int], starts: Mapping[str, list[tuple[str, int]]]) -> None:
        super().__init__()
        self._words = words
        self._starts = starts

    def __missing__(self, word: str) -> int:
        begun = [bit for start, bit in self._starts.get(word[:INDEXED], ()) if word.startswith(start)]
        if len(self) > REMEMBERED:
            self.clear()
        self[word] = reduce(or_, begun, self._words.get(word, 0))
        return self[word]


def _rarity(need: Need, common: Collection[str]) -> tuple[int, int]:
    return -sum(piece in common for piece in need), min(len(piece.strip("*")) for piece in need)
