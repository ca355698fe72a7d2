"""paraphrase: each base request and its paraphrases, as the texts that are sent; and asking a model for one."""

from collections.abc import Iterable, Iterator
from typing import Any

from annotation.codebook import section
from builder.corpus_rules.form import MAX_CHARACTERS, MAX_WORDS, MIN_WORDS
from builder.growth.codebook_rows import kind_row
from builder.growth.reply import End, Reply, read_reply
from builder.prompts import render
from builder.stages.sampling import of_writer
from schemas.chat import ChatRequest, Completion, Message
from schemas.marks import code_for
from schemas.records import Request, Variant
from schemas.vocabulary import ParaphraseKind

MAX_TOKENS = 2048
AGAIN = (
    " What came before was turned down: it was too near the original, left its meaning or broke a rule. Write another."
)
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}


def plan(requests: Iterable[Request]) -> tuple[Variant, ...]:
    """The variants of each request in turn: the base text (0), then its paraphrases (1, 2, …)."""
    return tuple(variant for request in requests for variant in _variants(request))


def ask(generator: str, request: Request, kind: ParaphraseKind, attempt: int) -> ChatRequest:
    """The question for one paraphrase; a later attempt is another question."""
    system = render(
        "paraphrase",
        paraphrases=section("Paraphrases"),
        levels=section("Harm levels"),
        min_words=str(MIN_WORDS),
        max_words=str(MAX_WORDS),
        max_characters=str(MAX_CHARACTERS),
    )
    item = render(
        "paraphrase_item",
        nonce=code_for("paraphrase", request.text),
        text=request.text,
        level=str(request.level.value),
        kind_row=kind_row(kind),
        attempt=str(attempt),
        again=AGAIN if attempt > 1 else "",
    )
    sampling = of_writer(generator, MAX_TOKENS)
    return ChatRequest(
        model=generator,
        messages=(Message("system", system), Message("user", item)),
        max_tokens=sampling.max_tokens,
        temperature=sampling.temperature,
        json_schema=SCHEMA,
    )


def read(completion: Completion | None) -> Reply:
    """The reply; if it is `answered`, its `text` is a string."""
    reply = read_reply(completion)
    if reply.end is End.ANSWERED and not isinstance(reply.answer.get("text"), str):
        return Reply(End.UNREADABLE, reason="the answer has no text")
    return reply


def _variants(request: Request) -> Iterator[Variant]:
    name = request.request_id
    yield Variant(f"{name}-v0", name, 0, None, request.text)
    for place, paraphrase in enumerate(request.paraphrases, start=1):
        number = paraphrase.number or place
        yield Variant(f"{name}-v{number}", name, number, paraphrase.kind, paraphrase.text)
