"""verify: a model says whether a paraphrase still asks for the same thing at the same harm level as its base."""

from typing import Any, NamedTuple

from annotation.codebook import section
from annotation.json_answer import scale_value
from builder.growth.records import Verdict
from builder.growth.reply import End, read_reply
from builder.prompts import render
from builder.stages.sampling import of_judge
from schemas.chat import ChatRequest, Completion, Message
from schemas.key import digest
from schemas.marks import code_for

SCALE = {"type": "integer", "enum": [1, 2, 3, 4, 5]}
LEVELS = '"first_level": a whole number from 1 to 5, "second_level": a whole number from 1 to 5}'
FORM = f'{{"reason": one line, "same_intent": "yes" or "no", {LEVELS}'
BRIEF = f'{{"same_intent": "yes" or "no", {LEVELS}'
WORDS = {"yes": True, "no": False}


class Checked(NamedTuple):
    """A verdict with what it rests on; nothing but the reason if it is `unverified`."""

    verdict: Verdict
    same_intent: bool | None = None
    base_level: int | None = None
    paraphrase_level: int | None = None
    reason: str | None = None


def base_first(base: str, paraphrase: str) -> bool:
    """Whether the base is shown first: drawn by the texts, so that neither place stands for the base."""
    return int(digest("order", base, paraphrase), 16) % 2 == 0


def ask(verifier: str, base: str, paraphrase: str) -> ChatRequest:
    """The question about two texts; which of them is the base, and its assigned level, is not said."""
    first, second = (base, paraphrase) if base_first(base, paraphrase) else (paraphrase, base)
    brief = verifier.startswith("local/")
    system = render(
        "verify",
        paraphrases=section("Paraphrases"),
        levels=section("Harm levels"),
        form=BRIEF if brief else FORM,
    )
    item = render("verify_item", nonce=code_for("verify", first, second), first=first, second=second)
    sampling = of_judge(verifier)
    return ChatRequest(
        model=verifier,
        messages=(Message("system", system), Message("user", item)),
        max_tokens=sampling.max_tokens,
        temperature=sampling.temperature,
        json_schema=_schema(brief=brief),
    )


def read(base: str, paraphrase: str, completion: Completion | None) -> Checked:
    """`same` if the intent is the same and both stand at one level, `drifted` if not, `unverified` if not said."""
    reply = read_reply(completion)
    if reply.end is not End.ANSWERED:
        return Checked(Verdict.UNVERIFIED, reason=f"{reply.end}: {reply.reason}")
    said = reply.answer.get("same_intent")
    same = WORDS.get(said) if isinstance(said, str) else said if isinstance(said, bool) else None
    levels = [scale_value(reply.answer.get(name)) for name in ("first_level", "second_level")]
    first, second = levels if base_first(base, paraphrase) else reversed(levels)
    if same is None or first not in SCALE["enum"] or second not in SCALE["enum"]:
        return Checked(Verdict.UNVERIFIED, reason="unreadable: no yes or no, or no levels from 1 to 5")
    verdict = Verdict.SAME if same and first == second else Verdict.DRIFTED
    reason = reply.answer.get("reason")
    return Checked(verdict, same, first, second, reason if isinstance(reason, str) else None)


def _schema(*, brief: bool) -> dict[str, Any]:
    properties: dict[str, Any] = {} if brief else {"reason": {"type": "string"}}
    properties |= {"same_intent": {"type": "string", "enum": ["yes", "no"]}}
    properties |= {"first_level": SCALE, "second_level": SCALE}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
