"""Hashes of all passages of so many characters in texts: which texts share one is told by arrays, without an index."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hub_card.windows import FACTOR, SHIFT, Hashes, HashSet, batches

BASE = 0xD1342543DE82EF95
NONE: Hashes = np.empty(0, dtype=np.uint64)


class Passages(NamedTuple):
    """The hash of every passage, and the place of the text in which it stands."""

    hashes: Hashes
    owner: npt.NDArray[np.int64]


def passages(texts: Sequence[str], width: int) -> Passages:
    """Every `width` characters in a row of a text; equal passages have equal hashes, wherever they stand.

    The hash of c0 c1 … is Σ ck·BASE^k modulo 2^64 (Karp and Rabin, doi:10.1147/rd.312.0249), from one running sum over
    the texts joined; two different passages share one with a chance of about 2^-64.
    """
    codes = [np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4") for text in texts]
    joined = np.concatenate(codes).astype(np.uint64) + np.uint64(1) if codes else np.empty(0, dtype=np.uint64)
    owner = np.repeat(np.arange(len(codes)), [len(code) for code in codes])
    count = len(joined) - width + 1
    if count <= 0:
        return Passages(NONE, owner[:0])
    size = 1 << len(joined).bit_length()
    sums = np.zeros(len(joined) + 1, dtype=np.uint64)
    np.cumsum(joined * _powers(BASE, size)[: len(joined)], out=sums[1:])
    hashes = (sums[width:] - sums[:-width]) * _powers(pow(BASE, -1, 2**64), size)[:count]
    hashes ^= hashes >> SHIFT
    hashes *= FACTOR
    within = owner[:count] == owner[width - 1 :]
    return Passages(hashes[within], owner[:count][within])


def standing_in(texts: Iterable[str], known: Mapping[int, HashSet]) -> dict[int, Hashes]:
    """Those of the known passages, by their width, that stand in a text; each once, ascending."""
    found: dict[int, list[Hashes]] = {width: [] for width in known}
    for batch in batches(texts) if any(map(len, known.values())) else ():
        for width, wanted in known.items():
            hashes = passages(batch, width).hashes
            found[width].append(np.unique(hashes[wanted.positions(hashes)]))
    return {width: np.unique(np.concatenate(parts)) if parts else NONE for width, parts in found.items()}


@cache
def _powers(base: int, count: int) -> Hashes:
    factors = np.full(count, base, dtype=np.uint64)
    factors[0] = 1
    return np.asarray(np.multiply.accumulate(factors), dtype=np.uint64)
