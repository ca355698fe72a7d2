"""Finding acts of speech in a sentence: only templates whose words all stand in the sentence are tried."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from annotation.lexical.template import UNSPACED, Lists, Need, Script, Template

INDEXED = 3
REMEMBERED = 50_000


class Entry(NamedTuple):
    """A template, the act it shows and the numbers of the needs that must be met before it is worth trying."""

    act: str
    template: Template
    needs: frozenset[int]


class Grammar:
    """The acts of one part of a language file; `common` are the words that tell nothing, in which it trusts least."""

    def __init__(
        self, acts: Mapping[str, Sequence[str]], lists: Lists, script: Script, common: Collection[str] = ()
    ) -> None:
        self._spaced = script is not UNSPACED
        self._numbers: dict[Need, int] = {}
        self._entries: dict[int, list[Entry]] = defaultdict(list)
        self._words: dict[str, set[int]] = defaultdict(set)
        self._starts: dict[str, list[tuple[str, int]]] = defaultdict(list)
        self._pieces: list[tuple[str, int]] = []
        for act, templates in acts.items():
            for text in templates:
                template = Template(text, lists, script)
                numbers = frozenset(self._number(need, script) for need in template.needs)
                rarest = self._number(max(template.needs, key=lambda need: _rarity(need, common)), script)
                self._entries[rarest].append(Entry(act, template, numbers))
        self._rarest = frozenset(self._entries)
        self._needs_met_by = _NeedsMet(self._words, self._starts)

    def _number(self, need: Need, script: Script) -> int:
        if need not in self._numbers:
            self._numbers[need] = len(self._numbers)
            for piece in sorted(need):
                self._index(piece, self._numbers[need], script)
        return self._numbers[need]

    def _index(self, piece: str, number: int, script: Script) -> None:
        bare = piece.strip("*")
        if script is UNSPACED or piece.startswith("*") or ("*" in piece and len(bare) < INDEXED):
            self._pieces.append((bare, number))
        elif "*" in piece:
            self._starts[bare[:INDEXED]].append((bare, number))
        else:
            self._words[piece].add(number)

    def acts(self, sentence: str, words: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Act → where it is performed in a sentence (in lower case) of these words."""
        met: set[int] = set().union(*map(self._needs_met_by.__getitem__, words)) if self._spaced else set()
        if self._pieces:
            met.update([number for piece, number in self._pieces if piece in sentence])
        found: dict[str, tuple[int, int]] = {}
        for number in sorted(met & self._rarest):
            for act, template, needs in self._entries[number]:
                if act not in found and needs <= met:
                    span = template.search(sentence)
                    if span is not None:
                        found[act] = span
        return found


class _NeedsMet(dict[str, frozenset[int]]):
    """Word → the numbers of the needs it meets; remembers words it has seen."""

    def __init__(self, words: Mapping[str, set[int]], starts: Mapping[str, list[tuple[str, int]]]) -> None:
        super().__init__()
        self._words = words
        self._starts = starts

    def __missing__(self, word: str) -> frozenset[int]:
        begun = [number for start, number in self._starts.get(word[:INDEXED], ()) if word.startswith(start)]
        if len(self) > REMEMBERED:
            self.clear()
        self[word] = frozenset(begun) | self._words.get(word, set())
        return self[word]


def _rarity(need: Need, common: Collection[str]) -> tuple[int, int]:
    return -sum(piece in common for piece in need), min(len(piece.strip("*")) for piece in need)
