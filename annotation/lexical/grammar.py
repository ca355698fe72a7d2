"""Finding acts of speech in a sentence: only templates whose words all stand in the sentence are tried."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from operator import or_

from annotation.lexical.script import UNSPACED, Script
from annotation.lexical.template import Lists, Need, Template

INDEXED = 3
REMEMBERED = 50_000


class Grammar:
    """The acts of one part of a language file; `common` are the words that tell nothing, in which it trusts least.

    Each need of each template is one bit: the first needs of all templates in a row, then the second needs, and so on.
    A template with fewer needs than others has the rest met from the start.
    """

    def __init__(
        self, acts: Mapping[str, Sequence[str]], lists: Lists, script: Script, common: Collection[str] = ()
    ) -> None:
        self._spaced = script is not UNSPACED
        self._words: dict[str, int] = defaultdict(int)
        self._starts: dict[str, list[tuple[str, int]]] = defaultdict(list)
        self._pieces: dict[str, int] = defaultdict(int)
        found = [(act, Template(text, lists, script)) for act, texts in acts.items() for text in texts]
        self._entries = _telling_first(found, common)
        most = max((len(template.needs) for _, template in found), default=0)
        self._all = (1 << len(found)) - 1
        self._shifts = [len(found) * number for number in range(1, most)]
        self._free = 0
        for place, (_, template) in enumerate(self._entries):
            for number in range(most):
                bit = 1 << (len(found) * number + place)
                if number < len(template.needs):
                    self._index(template.needs[number], bit)
                else:
                    self._free |= bit
        self._met_by = _NeedsMet(self._words, self._starts)

    def _index(self, need: Need, bit: int) -> None:
        for piece in need:
            bare = piece.strip("*")
            if not self._spaced or piece.startswith("*") or ("*" in piece and len(bare) < INDEXED):
                self._pieces[bare] |= bit
            elif "*" in piece:
                self._starts[bare[:INDEXED]].append((bare, bit))
            else:
                self._words[piece] |= bit

    def acts(self, plain: str, words: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Act → where it is performed in a sentence of these words; `plain` is as the script wants it."""
        met = self._free
        if self._spaced:
            met = reduce(or_, filter(None, map(self._met_by.__getitem__, words)), met)
        for piece, bit in self._pieces.items():
            if piece in plain:
                met |= bit
        worth = met & self._all
        for shift in self._shifts:
            worth &= met >> shift
        found: dict[str, tuple[int, int]] = {}
        while worth:
            place = (worth & -worth).bit_length() - 1
            worth &= worth - 1
            act, template = self._entries[place]
            if act not in found:
                span = template.search(plain)
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
        met = self._words.get(word, 0)
        for start, bit in self._starts.get(word[:INDEXED], ()):
            if word.startswith(start):
                met |= bit
        if len(self) > REMEMBERED:
            self.clear()
        self[word] = met
        return met


def _telling_first(found: Sequence[tuple[str, Template]], common: Collection[str]) -> list[tuple[str, Template]]:
    """The templates, in the order in which their most telling need was first named."""
    named: dict[Need, int] = {}
    for _, template in found:
        for need in template.needs:
            named.setdefault(need, len(named))
    return sorted(found, key=lambda entry: named[max(entry[1].needs, key=lambda need: _telling(need, common))])


def _telling(need: Need, common: Collection[str]) -> tuple[int, int]:
    return -sum(piece in common for piece in need), min(len(piece.strip("*")) for piece in need)
