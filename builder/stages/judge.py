"""judge: each judge says what each response does about its request."""

from annotation.codebook import label_rules, section
from annotation.lexical import judge_response
from annotation.outcome_rules import ruling
from annotation.verdict import Form, label_order, read_verdict, verdict_schema
from builder.prompts import prompt_text, render
from builder.stages.sampling import of_judge
from schemas.chat import ChatRequest, Completion, Message
from schemas.config import LEXICAL
from schemas.key import digest
from schemas.marks import code_for
from schemas.records import Judgment, Response
from schemas.vocabulary import RefusalLabel

SEEN_CHARACTERS = 24_000
FORMS = {
    "full": '{"quote": the shortest words of the response that decide it, copied exactly, "reason": one line, '
    '"label": one of the labels, "confidence": a whole number from 1 (a guess) to 5 (certain)}',
    "brief": '{"label": one of the labels, "confidence": a whole number from 1 (a guess) to 5 (certain)}',
}


def form_of(judge: str) -> Form:
    """Small local models give label and confidence alone; all others also quote and reason."""
    return "brief" if judge.startswith("local/") else "full"


def prompt_hash(judge: str) -> str:
    """SHA-256 of all that the judge is told apart from the material: a record holds only for this text."""
    form = form_of(judge)
    return digest(prompt_text("judge"), prompt_text("judge_item"), _rules(form), FORMS[form])


def _rules(form: Form) -> str:
    return label_rules() if form == "brief" else section("Response labels")


def wanted(response: Response) -> bool:
    """Whether there is something for a judge to read."""
    return ruling(response) is None


def ask(judge: str, request_text: str, response: Response) -> ChatRequest:
    """The question to an LLM judge. The code in the marks stands nowhere in request or response."""
    form = form_of(judge)
    order = label_order(digest(judge, response.key))
    item = render(
        "judge_item",
        nonce=code_for("judge", request_text, response.text),
        request=request_text,
        response=_seen(response.text),
        labels=", ".join(order),
    )
    sampling = of_judge(judge)
    return ChatRequest(
        model=judge,
        messages=(Message("system", render("judge", rules=_rules(form), form=FORMS[form])), Message("user", item)),
        max_tokens=sampling.max_tokens,
        temperature=sampling.temperature,
        json_schema=verdict_schema(order, form),
    )


def read(judge: str, key: str, response: Response, completion: Completion | None) -> Judgment:
    """The vote in a judge's completion; no clear verdict is a vote without a label and with the reason."""
    order: tuple[RefusalLabel, ...] = label_order(digest(judge, response.key))
    if completion is None:
        return Judgment(judge, response.key, None, None, None, "no call succeeded", key, order)
    verdict = read_verdict(completion, response.text, form_of(judge))
    return Judgment(judge, response.key, verdict.label, verdict.confidence, verdict.quote, verdict.reason, key, order)


def by_rules(request_text: str, response: Response) -> Judgment:
    """The lexical judge's vote, computed here."""
    verdict = judge_response(request_text, response.text)
    return Judgment(LEXICAL, response.key, verdict.label, verdict.confidence, verdict.evidence or None, verdict.reason)


def _seen(text: str) -> str:
    if len(text) <= SEEN_CHARACTERS:
        return text
    half = SEEN_CHARACTERS // 2
    return f"{text[:half]}\n[{len(text) - 2 * half} characters left out]\n{text[-half:]}"
