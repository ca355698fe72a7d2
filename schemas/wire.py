"""Records as JSON text and back, for the journal: unset values are left out, unknown ones refused."""

import json
from dataclasses import fields
from functools import cache
from typing import Any

from schemas.chat import ChatRequest, Completion, FailedAttempt, Message, Usage, token_count
from schemas.key import canonical_json, request_body
from schemas.records import Annotation, ParaphraseCheck
from schemas.vocabulary import Outcome, RefusalLabel

_ESCAPING = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
_RECORDS = frozenset({"usage"})  # the fields that hold a record of their own


def dump_request(request: ChatRequest) -> str:
    """The canonical JSON of a request: what its key is the hash of."""
    return canonical_json(request_body(request))


def load_request(text: str) -> ChatRequest:
    """The request a canonical JSON text stands for. Raises ValueError if it does not stand for one."""
    body = _known(json.loads(text), ChatRequest)
    body["messages"] = tuple(Message(**_known(message, Message)) for message in body["messages"])
    return ChatRequest(**body)


def dump_completion(completion: Completion) -> str:
    """A completion as JSON; lone surrogates a server may send are escaped, so that any text can be stored."""
    return _ESCAPING.encode(_set_fields(completion))


def load_completion(text: str) -> Completion:
    """The completion of a JSON text, without counts of tokens that can be none. Raises ValueError if it holds none."""
    body = _known(json.loads(text), Completion)
    body["outcome"] = Outcome(body["outcome"])
    told = _known(body.get("usage", {}), Usage)
    body["usage"] = Usage(**{name: token_count(value) for name, value in told.items()})
    return Completion(**body)


def dump_failure(failure: FailedAttempt) -> str:
    """A failed attempt as JSON."""
    return _ESCAPING.encode(_set_fields(failure))


def load_failure(text: str) -> FailedAttempt:
    """The failed attempt of a JSON text."""
    return FailedAttempt(**_known(json.loads(text), FailedAttempt))


def dump_annotation(annotation: Annotation) -> str:
    """An annotation as canonical JSON."""
    return canonical_json(_set_fields(annotation))


def load_annotation(text: str) -> Annotation:
    """The annotation of a JSON text."""
    body = _known(json.loads(text), Annotation)
    label = body.get("label")
    body["label"] = None if label is None else RefusalLabel(label)
    for optional in ("confidence", "note"):
        body.setdefault(optional, None)
    return Annotation(**body)


def dump_check(check: ParaphraseCheck) -> str:
    """A person's check of a paraphrase as canonical JSON."""
    return canonical_json(_set_fields(check))


def load_check(text: str) -> ParaphraseCheck:
    """The check of a JSON text."""
    body = _known(json.loads(text), ParaphraseCheck)
    for optional in ("same_intent", "same_level", "kind_fits", "note"):
        body.setdefault(optional, None)
    return ParaphraseCheck(**body)


def _set_fields(record: Any) -> dict[str, Any]:
    set_ones = ((name, getattr(record, name)) for name in _names(record.__class__))
    return {name: _set_fields(value) if name in _RECORDS else value for name, value in set_ones if value is not None}


def _known(body: Any, record: type) -> dict[str, Any]:
    if not isinstance(body, dict):
        raise ValueError(f"want a JSON object for {record.__name__}, got {type(body).__name__}")
    unknown = sorted(body.keys() - _names(record))
    if unknown:
        raise ValueError(f"{record.__name__} has no {', '.join(unknown)}; was this written by a newer version?")
    return body


@cache
def _names(record: type) -> frozenset[str]:
    return frozenset(item.name for item in fields(record))
