"""Small corpora for the tests of the corpus rules."""

from collections.abc import Sequence

from schemas.records import Paraphrase, Request
from schemas.vocabulary import HarmLevel, ParaphraseKind, Topic


def request(
    text: str,
    paraphrases: Sequence[str] = (),
    *,
    number: int = 1,
    topic: Topic = Topic.FRAUD,
    level: HarmLevel = HarmLevel.EDUCATIONAL,
    kinds: Sequence[ParaphraseKind] = tuple(ParaphraseKind),
) -> Request:
    """A request with paraphrases of different kinds, as if read from a file at line 10 × number."""
    return Request(
        request_id=f"{topic}-L{level.value}-{number:02d}",
        topic=topic,
        level=level,
        text=text,
        paraphrases=tuple(Paraphrase(kind, said) for kind, said in zip(kinds, paraphrases, strict=False)),
        file=f"{topic}.yaml",
        line=10 * number,
    )
