"""MinHash signatures of texts: of two signatures about as large a share agrees as the texts share of their pieces."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

GRAM_SIZE = 6
_MIX = np.uint32(0x9E3779B1)
_TOP_BYTE = np.uint32(24)


class Pieces(NamedTuple):
    """The hashed pieces of some texts, text after text, and where each text's pieces begin; no text is without one."""

    hashes: NDArray[np.uint32]
    starts: NDArray[np.intp]


def gram_pieces(normalised: Sequence[str]) -> Pieces:
    """The character 6-grams of each text, padded at both ends so that the shortest has one.

    Long grams are shared by near texts almost as often as short ones, and by strangers far less often.
    """
    padded = [f" {text} ".ljust(GRAM_SIZE) for text in normalised]
    codes = np.frombuffer("".join(padded).encode("utf-32-le"), dtype=np.uint32)
    lengths = np.array([len(text) for text in padded], dtype=np.intp)
    hashed = np.zeros(len(codes) - GRAM_SIZE + 1, dtype=np.uint32)
    for offset in range(GRAM_SIZE):
        hashed = (hashed ^ codes[offset : offset + len(hashed)]) * _MIX
        hashed ^= hashed >> np.uint32(15)
    ends = np.cumsum(lengths)
    inside = np.ones(len(codes), dtype=bool)
    for back in range(1, GRAM_SIZE):
        inside[ends - back] = False
    own = lengths - GRAM_SIZE + 1
    return Pieces(hashed[inside[: len(hashed)]], np.cumsum(own) - own)


def word_pieces(normalised: Sequence[str]) -> Pieces:
    """The words of each text; a text without one has a piece of its own kind."""
    texts = [text or "\0" for text in normalised]
    codes = np.frombuffer(" ".join(texts).encode("utf-32-le"), dtype=np.uint32)
    begins = np.concatenate([[0], np.flatnonzero(codes == ord(" ")) + 1])
    lengths = np.diff(np.append(begins, len(codes) + 1))
    places = (np.arange(len(codes) + 1) - np.repeat(begins, lengths))[: len(codes)].astype(np.uint32)
    letters = (codes ^ (places * _MIX)) * _MIX
    letters ^= letters >> np.uint32(15)
    letters[codes == ord(" ")] = 0
    words_each = np.array([text.count(" ") + 1 for text in texts], dtype=np.intp)
    hashes = np.add.reduceat(letters * _MIX, begins, dtype=np.uint32)
    return Pieces(hashes, np.cumsum(words_each) - words_each)


def signatures(pieces: Pieces, size: int) -> NDArray[np.uint8]:
    """One row a text, `size` bytes each: the least hash of the text's pieces under `size` permutations, cut to a byte.

    Two rows agree in a byte with probability J + (1 − J) / 256, J being the Jaccard similarity of the sets of pieces
    (Broder 1997, doi:10.1109/SEQUEN.1997.666900; cut to b bits: Li & König 2010, doi:10.1145/1772690.1772759). Several
    permutations, not one cut into bins: a short text has too few pieces to fill them.
    """
    rng = np.random.default_rng(20_240_601)
    factors = rng.integers(0, 1 << 31, size, dtype=np.uint32) * np.uint32(2) + np.uint32(1)
    offsets = rng.integers(0, 1 << 32, size, dtype=np.uint32)
    rows = np.empty((len(pieces.starts), size), dtype=np.uint8)
    for column in range(size):
        # Adding before and after the product: a product alone keeps the order of small numbers from one to the next.
        permuted = (pieces.hashes ^ offsets[column]) * factors[column]
        permuted ^= permuted >> np.uint32(16)
        permuted *= _MIX
        least = np.minimum.reduceat(permuted, pieces.starts)
        rows[:, column] = (least * _MIX) >> _TOP_BYTE
    return rows
