"""One spelling for what people and models write in many ways, and the way back to where it stood."""

import re
import unicodedata
from typing import NamedTuple

SAME_LENGTH = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′´`ʼ＇", "'"),
        **dict.fromkeys("“”„‟″«»＂", '"'),
        **dict.fromkeys("–—―‒‑−", "-"),
        **dict.fromkeys("\u00a0\u202f\u2009\u2002\u2003\u2007\u3000\t", " "),
        **{chr(0xFF01 + code): chr(0x21 + code).lower() for code in range(94)},
        "_": " ",
        "\r": "\n",
        "İ": "i",
    }
)
INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00ad\u0640\u064b-\u0652\u0300-\u036f\ufe0f]")
CLUSTER = re.compile("(.)([\u0300-\u036f]+)?", re.DOTALL)


class Normal(NamedTuple):
    """The text in one spelling; `offsets[i]` is where its i-th character stood (None: at i)."""

    text: str
    offsets: list[int] | None

    def origin(self, position: int) -> int:
        """Where in the response the character at `position` stood."""
        return position if self.offsets is None else self.offsets[position]


def normalise(response: str) -> Normal:
    """Lower case, straight quotes, plain spaces, composed accents, no invisible characters."""
    if response.isascii() or INVISIBLE.search(response) is None:
        text = response.translate(SAME_LENGTH).lower()
        if len(text) == len(response):
            return Normal(text, None)
    pieces: list[str] = []
    offsets: list[int] = []
    for cluster in CLUSTER.finditer(response):
        plain = _plain(cluster[0]) if cluster[2] is None else unicodedata.normalize("NFC", cluster[0]).lower()
        pieces.append(plain)
        offsets.extend([cluster.start()] * len(plain))
    offsets.append(len(response))
    return Normal("".join(pieces), offsets)


def _plain(character: str) -> str:
    return "" if INVISIBLE.match(character) else character.translate(SAME_LENGTH).lower()
