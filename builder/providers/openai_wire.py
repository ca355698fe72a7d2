"""Pure translation between our records and the OpenAI chat-completions protocol, for every server that speaks it."""

import re
from dataclasses import replace
from typing import Any

from builder.providers.failures import outcome_in_body
from builder.providers.protocol import CallError
from schemas.chat import ChatRequest, Completion, Usage, token_count
from schemas.key import request_body
from schemas.model_name import parse_model
from schemas.vocabulary import Outcome

THINKING = re.compile(r"\A\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
THOUGHTS_END = re.compile(r"</think(?:ing)?>")  # alone where the template opened the tag and no parser took it out

BROKEN_OFF = ("error", "abort", "insufficient_system_resource")
CUT_OFF = ("length", "max_tokens", "model_length")
FILTERED = frozenset(
    {
        "content_filter",
        "content_filtered",
        "guardrail_intervened",
        "safety",
        "blocklist",
        "prohibited_content",
        "recitation",
        "spii",
    }
)


def to_openai(request: ChatRequest) -> dict[str, Any]:
    """The request as the body of a call to `/chat/completions`."""
    provider, model = parse_model(request.model)
    route: dict[str, Any] = {}
    if provider == "openrouter":
        model, route = _pinned(model)
    params: dict[str, Any] = {"model": model, "messages": request_body(request)["messages"]}
    for name in ("temperature", "top_p", "seed"):
        if getattr(request, name) is not None:
            params[name] = getattr(request, name)
    if request.max_tokens is not None:
        params["max_completion_tokens" if provider == "openai" else "max_tokens"] = request.max_tokens
    if request.effort is not None:
        params["reasoning_effort"] = request.effort
    if request.json_schema is not None:
        shape = {"name": "answer", "strict": True, "schema": request.json_schema}
        params["response_format"] = {"type": "json_schema", "json_schema": shape}
    return params | route


def from_openai(body: Any, key: str) -> Completion:
    """The completion a response body stands for.

    Raises CallError (`malformed`, or the error the body carries in spite of HTTP 200).
    """
    if not isinstance(body, dict):
        raise CallError("malformed", f"the answer is not a JSON object (got {type(body).__name__})")
    choices = body.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    choice: dict[str, Any] = first if isinstance(first, dict) else {}
    blank = Completion(
        key=key,
        outcome=Outcome.EMPTY,
        text="",
        served_model=string(body.get("model")),
        fingerprint=string(body.get("system_fingerprint")) or string(body.get("provider")),
        usage=_usage(body.get("usage")),
    )
    if outcome := _failure(body, choice):
        return replace(blank, outcome=outcome, stop_reason="error")
    message = choice.get("message", {} if FILTERED.intersection(_ends(choice)) else None)
    if not isinstance(message, dict):
        raise CallError("malformed", "the answer holds no choices with a message")
    said = _text_of(message.get("content"))
    text = _without_thoughts(said)
    finish, refusal = string(choice.get("finish_reason")), message.get("refusal")
    if isinstance(refusal, str) and refusal.strip():
        return replace(blank, outcome=Outcome.REFUSAL_STOP, text=refusal, stop_reason=finish)
    thought = bool(message.get("reasoning_content") or message.get("reasoning")) or text != said
    outcome = _outcome(choice, text, thought)
    stop_reason = "refusal" if outcome is Outcome.REFUSAL_STOP else finish
    return replace(blank, outcome=outcome, text=text, stop_reason=stop_reason)


def _failure(body: dict[str, Any], choice: dict[str, Any]) -> Outcome | None:
    error = body.get("error") or choice.get("error")
    if isinstance(error, dict):
        return outcome_in_body(error)
    for word in _ends(choice):
        if word in BROKEN_OFF:
            raise CallError("server", f"the provider broke the answer off (finish reason {word!r})")
    return None


def _ends(choice: dict[str, Any]) -> tuple[str, str]:
    """The finish reason and the host's own word for it, in small letters; Google adds details after a colon."""
    finish, native = string(choice.get("finish_reason")) or "", string(choice.get("native_finish_reason")) or ""
    return finish.lower().partition(":")[0], native.lower().partition(":")[0]


def _without_thoughts(said: str) -> str:
    if "</think" not in said and "<think" not in said:
        return said
    answer = THINKING.sub("", said, count=1)
    end = THOUGHTS_END.search(said) if answer == said else None
    return said[end.end() :] if end and "<think" not in said[: end.start()] else answer


def _outcome(choice: dict[str, Any], text: str, thought: bool) -> Outcome:
    finish, native = _ends(choice)
    if "refusal" in (finish, native):
        return Outcome.REFUSAL_STOP
    if finish in FILTERED or native in FILTERED or (not text.strip() and _withheld(choice)):
        return Outcome.OUTPUT_FILTERED
    if not text.strip() and thought:
        return Outcome.REASONING_ONLY
    if finish in CUT_OFF:
        return Outcome.TRUNCATED
    return Outcome.TEXT if text.strip() else Outcome.EMPTY


def _withheld(choice: dict[str, Any]) -> bool:
    results = choice.get("content_filter_results")
    verdicts = results.values() if isinstance(results, dict) else ()
    return any(isinstance(verdict, dict) and verdict.get("filtered") is True for verdict in verdicts)


def _text_of(content: Any) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(string(part.get("text")) or "" for part in content if isinstance(part, dict))
    raise CallError("malformed", f"the message's content is no text (got {type(content).__name__})")


def _usage(usage: Any) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    prompt, completion = usage.get("prompt_tokens_details"), usage.get("completion_tokens_details")
    return Usage(
        input_tokens=token_count(usage.get("prompt_tokens")),
        output_tokens=_output_tokens(usage),
        cached_tokens=token_count(prompt.get("cached_tokens")) if isinstance(prompt, dict) else None,
        reasoning_tokens=token_count(completion.get("reasoning_tokens")) if isinstance(completion, dict) else None,
    )


def _output_tokens(usage: dict[str, Any]) -> int | None:
    """Tokens written, thoughts too: xAI and Google leave these out of `completion_tokens`, not of the total."""
    prompt, written = token_count(usage.get("prompt_tokens")), token_count(usage.get("completion_tokens"))
    total = token_count(usage.get("total_tokens"))
    return written if prompt is None or written is None or total is None else max(written, total - prompt)


def _pinned(model: str) -> tuple[str, dict[str, Any]]:
    """OpenRouter's name of a `MODEL@HOST`, and the wish that this host alone serves it; without a host, any one."""
    name, _, host = model.partition("@")
    wish = {"allow_fallbacks": False, "require_parameters": True}
    return name, {"provider": wish | ({"only": [host]} if host else {})}


def string(value: Any) -> str | None:
    """The value if it is a text with something in it, else None."""
    return value if isinstance(value, str) and value else None
