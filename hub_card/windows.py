"""Hashes of all windows of a fixed width in texts, as arrays: a quick test of which texts can share a piece at all."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint64]
WORD = 8
FACTOR = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(29)
SPREAD = 4
BATCH = 1_000_000


def window_hashes(data: bytes, width: int, stride: int) -> Hashes:
    """One hash a window of `width` bytes, at every `stride`-th byte; equal windows have equal hashes."""
    raw = np.frombuffer(data, dtype=np.uint8)
    count = (len(raw) - width) // stride + 1
    if count <= 0:
        return np.empty(0, dtype=np.uint64)
    padded = np.zeros((count, -(-width // WORD) * WORD), dtype=np.uint8)
    padded[:, :width] = np.lib.stride_tricks.as_strided(raw, (count, width), (stride, 1))
    hashes = np.zeros(count, dtype=np.uint64)
    for word in padded.view(np.uint64).T:
        hashes = (hashes ^ word) * FACTOR
        hashes ^= hashes >> SHIFT
    return hashes


def aligned_hashes(texts: Iterable[str], width: int) -> Hashes:
    """The hashes of the windows that divide each text from its start; what is left at its end is in none."""
    encoded = (encode(text) for text in texts)
    return window_hashes(b"".join(data[: len(data) // width * width] for data in encoded), width, width)


def encode(text: str) -> bytes:
    """The text in UTF-8; half a surrogate pair is three bytes like any other character there."""
    return text.encode("utf-8", "surrogatepass")


class HashSet:
    """Hashes to look others up in."""

    def __init__(self, parts: Sequence[Hashes]) -> None:
        self._sorted = np.unique(np.concatenate(parts)) if parts else np.empty(0, dtype=np.uint64)
        bits = max(1, int(SPREAD * len(self._sorted)).bit_length())
        self._shift = np.uint64(64 - bits)
        # Most hashes looked up are not there: one look at this small table spares them the search.
        self._maybe = np.zeros(2**bits, dtype=np.bool_)
        self._maybe[self._sorted >> self._shift] = True

    def __len__(self) -> int:
        return len(self._sorted)

    def positions(self, hashes: Hashes) -> npt.NDArray[np.int64]:
        """Which of `hashes` are in the set, as ascending positions."""
        places = np.flatnonzero(self._maybe[hashes >> self._shift])
        wanted = hashes[places]
        found = np.searchsorted(self._sorted, wanted)
        found[found == len(self._sorted)] = 0
        return np.asarray(places[self._sorted[found] == wanted] if len(self) else places[:0], dtype=np.int64)


def batches(texts: Iterable[str], characters: int = BATCH) -> Iterable[list[str]]:
    """The texts in lists of about so many characters."""
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= characters:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def hits(texts: Sequence[str], known: HashSet, width: int, stride: int) -> Iterable[tuple[int, int]]:
    """Position of a text and hash, for every window at a `stride`-th byte of the joined texts that is known."""
    encoded = [encode(text) for text in texts]
    hashes = window_hashes(b"".join(encoded), width, stride)
    found = known.positions(hashes)
    owner = np.searchsorted(np.cumsum([len(data) for data in encoded]), found * stride, side="right")
    return zip(owner.tolist(), hashes[found].tolist(), strict=True)
