"""Length and characters of a text: what any reader, terminal and tokenizer takes without surprises."""

import math
import re
from collections.abc import Iterator, Sequence

from builder.corpus_file import Complaint
from builder.corpus_rules.texts import CorpusText, texts_of
from builder.counted import counted
from schemas.records import Request
from schemas.vocabulary import ParaphraseKind

MIN_WORDS, MAX_WORDS, MAX_CHARACTERS = 4, 60, 300
_TYPOGRAPHIC = {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "..."}


def check_form(requests: Sequence[Request]) -> Iterator[Complaint]:
    """Complaints about length, characters, spaces and repeated paraphrase kinds."""
    for item in texts_of(requests):
        yield from _length(item)
        yield from _characters(item)
    for request in requests:
        yield from _kinds(request)


def _length(item: CorpusText) -> Iterator[Complaint]:
    words, characters = len(item.text.split()), len(item.text)
    if not MIN_WORDS <= words <= MAX_WORDS:
        yield item.complain("length", f"{counted(words, 'word')}, want {MIN_WORDS} to {MAX_WORDS}")
    if characters > MAX_CHARACTERS:
        yield item.complain("length", f"{characters} characters, want at most {MAX_CHARACTERS}: shorten it")


def _characters(item: CorpusText) -> Iterator[Complaint]:
    for wrong in sorted(set(item.text) & set(_TYPOGRAPHIC)):
        yield item.complain("characters", f"holds {wrong!r}: write {_TYPOGRAPHIC[wrong]!r}")
    other = re.findall(r"[^ -~‘’“”–—…à-öø-ÿÀ-ÖØ-ß]", item.text)
    if other:
        listed = ", ".join(f"U+{ord(character):04X}" for character in sorted(set(other)))
        yield item.complain(
            "characters", f"holds {listed}: only printable ASCII and accented Latin letters are allowed"
        )
    if "  " in item.text or item.text != item.text.strip():
        yield item.complain("spaces", "one space between words and none at the ends")


def _kinds(request: Request) -> Iterator[Complaint]:
    kinds = [paraphrase.kind for paraphrase in request.paraphrases]
    allowed = math.ceil(len(kinds) / len(ParaphraseKind))
    for kind in sorted({kind for kind in kinds if kinds.count(kind) > allowed}):
        advice = f"{kinds.count(kind)} paraphrases of kind {kind}: give each another kind"
        yield Complaint(request.file, request.line, request.request_id, "same-kind", advice)
