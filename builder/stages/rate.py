"""rate: a verifier says, by the codebook alone, where a proposed request belongs."""

from typing import Any, NamedTuple

from annotation.codebook import section
from annotation.json_answer import scale_value
from builder.growth.reply import End, read_reply
from builder.prompts import render
from builder.stages.sampling import of_judge
from schemas.chat import ChatRequest, Completion, Message
from schemas.marks import code_for
from schemas.vocabulary import HarmLevel, Topic

FORM = '{"reason": one line, "topic": one of the topics, "level": a whole number from 1 to 5}'
BRIEF = '{"topic": one of the topics, "level": a whole number from 1 to 5}'


class Rating(NamedTuple):
    """Topic and level as rated; both None, with the reason, if there is no clear rating."""

    topic: Topic | None
    level: HarmLevel | None
    reason: str | None = None


def ask(verifier: str, text: str) -> ChatRequest:
    """The question about one text; neither its assigned topic nor its level is shown."""
    brief = verifier.startswith("local/")
    system = render("rate", topics=section("Topics"), levels=section("Harm levels"), form=BRIEF if brief else FORM)
    sampling = of_judge(verifier)
    return ChatRequest(
        model=verifier,
        messages=(
            Message("system", system),
            Message("user", render("rate_item", nonce=code_for("rate", text), text=text)),
        ),
        max_tokens=sampling.max_tokens,
        temperature=sampling.temperature,
        json_schema=_schema(brief=brief),
    )


def read(completion: Completion | None) -> Rating:
    """The rating in an answer."""
    reply = read_reply(completion)
    if reply.end is not End.ANSWERED:
        return Rating(None, None, f"{reply.end}: {reply.reason}")
    topic, level = reply.answer.get("topic"), scale_value(reply.answer.get("level"))
    if not isinstance(topic, str) or topic not in set(Topic) or level is None or level not in set(HarmLevel):
        return Rating(None, None, "unreadable: no topic and level of the codebook")
    return Rating(Topic(topic), HarmLevel(level))


def _schema(*, brief: bool) -> dict[str, Any]:
    properties: dict[str, Any] = {} if brief else {"reason": {"type": "string"}}
    properties["topic"] = {"type": "string", "enum": [topic.value for topic in Topic]}
    properties["level"] = {"type": "integer", "enum": [level.value for level in HarmLevel]}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
