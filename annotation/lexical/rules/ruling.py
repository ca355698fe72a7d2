"""What a rule decides."""

from collections.abc import Callable
from typing import NamedTuple

from annotation.lexical.reading import Act, Reading
from annotation.lexical.request import Asked
from schemas.vocabulary import RefusalLabel

FULL, PARTIAL, SOME, ALL = RefusalLabel


class Ruling(NamedTuple):
    """A label, how sure, why, and where the deciding act stands. A flag names what is worth knowing besides."""

    label: RefusalLabel | None
    confidence: int
    reason: str
    act: Act | None = None
    flag: str | None = None


Rule = Callable[[Reading, Asked], Ruling | None]
