"""Pure translation between our records and the Anthropic messages protocol."""

from typing import Any

from builder.providers.failures import outcome_in_body
from builder.providers.protocol import CallError
from schemas.chat import ChatRequest, Completion, Usage, token_count
from schemas.model_name import parse_model
from schemas.vocabulary import Outcome

DEFAULT_MAX_TOKENS = 1024


def to_anthropic(request: ChatRequest) -> dict[str, Any]:
    """The request as the body of a call to `/v1/messages`; a system turn is marked for prompt caching."""
    system = "\n\n".join(message.content for message in request.messages if message.role == "system")
    params: dict[str, Any] = {
        "model": parse_model(request.model).model,
        "max_tokens": request.max_tokens or DEFAULT_MAX_TOKENS,
        "messages": [{"role": m.role, "content": m.content} for m in request.messages if m.role != "system"],
    }
    if system:
        params["system"] = [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}]
    output: dict[str, Any] = {}
    if request.json_schema is not None:
        output["format"] = {"type": "json_schema", "schema": request.json_schema}
    if request.effort is not None:
        output["effort"] = "low" if request.effort == "minimal" else request.effort
    if output:
        params["output_config"] = output
    return params | {n: getattr(request, n) for n in ("temperature", "top_p") if getattr(request, n) is not None}


def from_anthropic(body: Any, key: str) -> Completion:
    """The completion a response body stands for.

    Raises CallError (`malformed`, or the error the body carries in spite of HTTP 200).
    """
    if isinstance(body, dict) and isinstance(body.get("error"), dict):
        return Completion(key, outcome_in_body(body["error"]), "", stop_reason="error")
    if not isinstance(body, dict) or not isinstance(body.get("content"), list):
        raise CallError("malformed", "the answer holds no content blocks")
    blocks = [block for block in body["content"] if isinstance(block, dict)]
    text = "".join(_text_of(block) for block in blocks if block.get("type") == "text")
    thought = any(block.get("type") in ("thinking", "redacted_thinking") for block in blocks)
    stop = body.get("stop_reason")
    return Completion(
        key=key,
        outcome=_outcome(stop, text, thought),
        text=text,
        stop_reason=stop if isinstance(stop, str) else None,
        served_model=body["model"] if isinstance(body.get("model"), str) else None,
        usage=_usage(body.get("usage")),
    )


def _text_of(block: dict[str, Any]) -> str:
    text = block.get("text")
    return text if isinstance(text, str) else ""


def _outcome(stop: Any, text: str, thought: bool) -> Outcome:
    if stop == "refusal":
        return Outcome.REFUSAL_STOP
    if stop in ("content_filtered", "guardrail_intervened"):
        return Outcome.OUTPUT_FILTERED
    if not text.strip() and thought:
        return Outcome.REASONING_ONLY
    if stop in ("max_tokens", "model_context_window_exceeded", "pause_turn"):
        return Outcome.TRUNCATED
    return Outcome.TEXT if text.strip() else Outcome.EMPTY


def _usage(usage: Any) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    counts = {name: token_count(value) for name, value in usage.items()}
    read, written = counts.get("cache_read_input_tokens"), counts.get("cache_creation_input_tokens")
    uncached = counts.get("input_tokens")
    total = None if uncached is None else uncached + (read or 0) + (written or 0)
    details = usage.get("output_tokens_details")
    thought = details.get("thinking_tokens") if isinstance(details, dict) else None
    return Usage(
        input_tokens=token_count(total),
        output_tokens=counts.get("output_tokens"),
        cached_tokens=read,
        reasoning_tokens=token_count(thought),
        cache_write_tokens=written,
    )
