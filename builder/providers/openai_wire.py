"""Pure translation between our records and the OpenAI chat-completions protocol, for every server that speaks it."""

import re
from typing import Any

from builder.providers.protocol import CallError
from schemas.chat import ChatRequest, Completion, Usage
from schemas.key import request_body
from schemas.model_name import ProviderName, parse_model
from schemas.vocabulary import Outcome

THINKING = re.compile(r"\A\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)


def to_openai(request: ChatRequest) -> dict[str, Any]:
    """The request as the body of a call to `/chat/completions`."""
    provider, model = parse_model(request.model)
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
    return params | _route(provider)


def from_openai(body: Any, key: str) -> Completion:
    """The completion a response body stands for.

    Raises CallError (`malformed`, or the error the body carries in spite of HTTP 200).
    """
    choice = _first_choice(body)
    message = choice.get("message")
    if not isinstance(message, dict):
        raise CallError("malformed", f"no message in the answer (got {type(message).__name__})")
    said = _text_of(message.get("content"))
    text = THINKING.sub("", said, count=1)
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal.strip():
        outcome, text = Outcome.REFUSAL_STOP, refusal
    else:
        thought = bool(message.get("reasoning_content") or message.get("reasoning")) or text != said
        outcome = _outcome(str(choice.get("finish_reason")), choice.get("native_finish_reason"), text, thought)
    return Completion(
        key=key,
        outcome=outcome,
        text=text,
        stop_reason=_string(choice.get("finish_reason")),
        served_model=_string(body.get("model")),
        fingerprint=_string(body.get("system_fingerprint")),
        usage=_usage(body.get("usage")),
    )


def _outcome(finish: str, native: Any, text: str, thought: bool) -> Outcome:
    if native == "refusal":
        return Outcome.REFUSAL_STOP
    if finish in ("content_filter", "safety", "blocklist", "prohibited_content"):
        return Outcome.OUTPUT_FILTERED
    if not text.strip() and thought:
        return Outcome.REASONING_ONLY
    if finish in ("length", "max_tokens"):
        return Outcome.TRUNCATED
    return Outcome.TEXT if text.strip() else Outcome.EMPTY


def _first_choice(body: Any) -> dict[str, Any]:
    if not isinstance(body, dict):
        raise CallError("malformed", f"the answer is not a JSON object (got {type(body).__name__})")
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    error = body.get("error") or (choice.get("error") if isinstance(choice, dict) else None)
    if isinstance(error, dict):
        limited = str(error.get("code")) == "429"
        raise CallError("rate_limited" if limited else "server", str(error.get("message", "error in HTTP 200"))[:500])
    if not isinstance(choice, dict):
        raise CallError("malformed", "the answer holds no choices")
    return choice


def _text_of(content: Any) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    raise CallError("malformed", f"the message's content is no text (got {type(content).__name__})")


def _usage(usage: Any) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    prompt, completion = usage.get("prompt_tokens_details"), usage.get("completion_tokens_details")
    return Usage(
        input_tokens=_integer(usage.get("prompt_tokens")),
        output_tokens=_integer(usage.get("completion_tokens")),
        cached_tokens=_integer(prompt.get("cached_tokens")) if isinstance(prompt, dict) else None,
        reasoning_tokens=_integer(completion.get("reasoning_tokens")) if isinstance(completion, dict) else None,
    )


def _route(provider: ProviderName) -> dict[str, Any]:
    if provider == "openrouter":
        return {"provider": {"allow_fallbacks": False, "require_parameters": True}}
    return {}


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _integer(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
