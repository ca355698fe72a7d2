"""One spelling for what people and models write in many ways, and the way back to where it stood."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

SAME_LENGTH = {
    **dict.fromkeys("‘’‚‛′´`ʼ＇", "'"),
    **dict.fromkeys("“”„‟″«»＂", '"'),
    **dict.fromkeys("–—―‒‑−", "-"),
    **dict.fromkeys("\u00a0\u202f\u2009\u2002\u2003\u2007\u3000\t", " "),
    **{chr(0xFF01 + code): chr(0x21 + code).lower() for code in range(94)},
    "_": " ",
    "\r": "\n",
    "İ": "i",
}
OTHERWISE = re.compile(f"[{re.escape(''.join(SAME_LENGTH))}]")
ASCII = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ_\t`\r", b"abcdefghijklmnopqrstuvwxyz  '\n")
INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00ad\u0640\u064b-\u0652\u0300-\u036f\ufe0f]")
CLUSTER = re.compile("(.)([\u0300-\u036f]+)?", re.DOTALL)


class Normal(NamedTuple):
    """The text in one spelling; `offsets[i]` is where its i-th character stood (None: at i)."""

    text: str
    offsets: Sequence[int] | None

    def origin(self, position: int) -> int:
        """Where in the response the character at `position` stood."""
        return position if self.offsets is None else self.offsets[position]


def normalise(response: str, begin: int = 0, limit: int | None = None) -> Normal:
    """Lower case, straight quotes, plain spaces, composed accents, no invisible characters.

    Only what stands from `begin` on; if that is more than `limit` characters, three quarters of the limit from the
    beginning and one quarter from the end.
    """
    if limit is None or len(response) - begin <= limit:
        return _normalise(response, begin, len(response))
    head = _normalise(response, begin, begin + 3 * limit // 4)
    tail = _normalise(response, len(response) - limit // 4, len(response))
    return Normal(f"{head.text}\n{tail.text}", [*_offsets(head), *_offsets(tail)])


def _normalise(response: str, begin: int, end: int) -> Normal:
    part = response[begin:end]
    if part.isascii():
        text = part.encode("ascii").translate(ASCII).decode("ascii")
        return Normal(text, range(begin, end + 1) if begin else None)
    if INVISIBLE.search(part) is None:
        text = _same_length(part).lower()
        if len(text) == len(part):
            return Normal(text, range(begin, end + 1) if begin else None)
    pieces: list[str] = []
    offsets: list[int] = []
    for cluster in CLUSTER.finditer(part):
        plain = _plain(cluster[0]) if cluster[2] is None else unicodedata.normalize("NFC", cluster[0]).lower()
        pieces.append(plain)
        offsets.extend([begin + cluster.start()] * len(plain))
    return Normal("".join(pieces), [*offsets, end])


def _offsets(normal: Normal) -> Sequence[int]:
    return range(len(normal.text) + 1) if normal.offsets is None else normal.offsets


def _plain(character: str) -> str:
    return "" if INVISIBLE.match(character) else _same_length(character).lower()


def _same_length(text: str) -> str:
    for character in set(OTHERWISE.findall(text)):
        text = text.replace(character, SAME_LENGTH[character])
    return text
