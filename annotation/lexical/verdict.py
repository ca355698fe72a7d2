"""What the lexical judge says of a response."""

from dataclasses import dataclass

from schemas.vocabulary import RefusalLabel


@dataclass(frozen=True, slots=True)
class LexicalVerdict:
    """A label with the words that decided it; `label` is None where there is nothing to read.

    `confidence` is 1 (a guess) to 5 (the rules are sure). `evidence` is `response[start:end]`, empty where no words but
    their absence decided. `flags` name what else was seen, such as `clarification`.
    """

    label: RefusalLabel | None
    confidence: int
    evidence: str
    start: int
    end: int
    reason: str
    flags: frozenset[str] = frozenset()
