"""Pure translation between our records and OpenAI's Responses protocol."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from builder.providers.failures import outcome_in_body
from builder.providers.openai_wire import string
from builder.providers.protocol import CallError
from schemas.chat import ChatRequest, Completion, Usage, token_count
from schemas.key import request_body
from schemas.model_name import parse_model
from schemas.vocabulary import Outcome


def to_responses(request: ChatRequest) -> dict[str, Any]:
    """The request as the body of a call to `/responses`, which is to keep nothing of it; the API takes no seed."""
    params: dict[str, Any] = {
        "model": parse_model(request.model).model,
        "input": request_body(request)["messages"],
        "store": False,
    }
    if request.max_tokens is not None:
        params["max_output_tokens"] = request.max_tokens
    for name in ("temperature", "top_p"):
        if getattr(request, name) is not None:
            params[name] = getattr(request, name)
    if request.effort is not None:
        params["reasoning"] = {"effort": request.effort}
    if request.json_schema is not None:
        shape = {"type": "json_schema", "name": "answer", "strict": True, "schema": request.json_schema}
        params["text"] = {"format": shape}
    return params


def from_responses(body: Any, key: str, max_tokens: int | None = None) -> Completion:
    """The completion a response body stands for, given the most tokens that were asked for.

    A server that never says whether an answer is incomplete (llama.cpp's) has cut one that used all its tokens.
    Raises CallError (`malformed`, or the error of a response that failed).
    """
    if not isinstance(body, dict):
        raise CallError("malformed", f"the answer is not a JSON object (got {type(body).__name__})")
    blank = Completion(key, Outcome.EMPTY, "", served_model=string(body.get("model")), usage=_usage(body.get("usage")))
    status, error = _status(body, blank.usage.output_tokens, max_tokens), body.get("error")
    if isinstance(error, dict) or status in ("failed", "cancelled"):
        error = error if isinstance(error, dict) else {}
        return replace(blank, outcome=outcome_in_body(error), stop_reason=string(error.get("code")))
    if status not in ("completed", "incomplete") or not isinstance(body.get("output"), list):
        raise CallError("malformed", f"the response is {status!r}, with no output to read")
    said = "".join(_parts(body, "output_text", "text"))
    refusal = "".join(_parts(body, "refusal", "refusal"))
    reason = _reason(body.get("incomplete_details")) if status == "incomplete" else None
    stop_reason = reason or string(status)
    if refusal.strip():
        return replace(blank, outcome=Outcome.REFUSAL_STOP, text=refusal, stop_reason=stop_reason)
    thought = any(isinstance(item, dict) and item.get("type") == "reasoning" for item in body["output"])
    return replace(blank, outcome=_outcome(status, reason, said, thought), text=said, stop_reason=stop_reason)


def _status(body: dict[str, Any], used: int | None, most: int | None) -> Any:
    status = body.get("status")
    used_up = used is not None and most is not None and used >= most
    return "incomplete" if status == "completed" and used_up and "incomplete_details" not in body else status


def _reason(details: Any) -> str | None:
    return string(details.get("reason") if isinstance(details, dict) else details)


def _outcome(status: str, reason: str | None, text: str, thought: bool) -> Outcome:
    if reason == "content_filter":
        return Outcome.OUTPUT_FILTERED
    if not text.strip() and thought:
        return Outcome.REASONING_ONLY
    if status == "incomplete":
        return Outcome.TRUNCATED
    return Outcome.TEXT if text.strip() else Outcome.EMPTY


def _parts(body: dict[str, Any], kind: str, field: str) -> Iterator[str]:
    for item in body["output"]:
        if not isinstance(item, dict) or item.get("type") != "message" or item.get("phase") == "commentary":
            continue
        content = item.get("content") or []
        if isinstance(content, str):
            content = [{"type": "output_text", "text": content}]
        if not isinstance(content, list):
            raise CallError("malformed", f"the message's content is no text (got {type(content).__name__})")
        for part in content:
            if isinstance(part, dict) and part.get("type") == kind:
                yield string(part.get(field)) or ""


def _usage(usage: Any) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    given, written = usage.get("input_tokens_details"), usage.get("output_tokens_details")
    return Usage(
        input_tokens=token_count(usage.get("input_tokens")),
        output_tokens=token_count(usage.get("output_tokens")),
        cached_tokens=token_count(given.get("cached_tokens")) if isinstance(given, dict) else None,
        reasoning_tokens=token_count(written.get("reasoning_tokens")) if isinstance(written, dict) else None,
    )
