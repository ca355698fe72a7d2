"""The canonical key: fixed for ever for what it names, changed by everything that can change an answer."""

from dataclasses import fields, replace

import pytest

from schemas.chat import ChatRequest, Message
from schemas.key import canonical_json, digest, key_of
from schemas.wire import dump_request, load_request

BASE = ChatRequest(model="openai/m", messages=(Message("user", "Grüße, “you”"),))
FULL = ChatRequest(
    model="openai/m",
    messages=(Message("system", "s"), Message("user", "u")),
    sample=2,
    max_tokens=10,
    temperature=0.5,
    top_p=0.9,
    seed=7,
    effort="low",
    json_schema={"type": "object"},
)
CHANGES: dict[str, object] = {
    "model": "openai/n",
    "messages": (Message("user", "other"),),
    "sample": 1,
    "max_tokens": 5,
    "temperature": 0.0,
    "top_p": 1.0,
    "seed": 0,
    "effort": "high",
    "json_schema": {"type": "string"},
}


def test_golden_keys_never_change() -> None:
    assert key_of(BASE) == "a3a52b5ef4accbe1a47485fd705a8f6c5821ba5288e55819f23ddd1bf9379ceb"
    assert key_of(FULL) == "5c25e08d22903efaf992b6c936c4efa400c719e8c16ad3d5afae0b97e0bc016d"


def test_every_field_of_a_request_is_tested_below() -> None:
    assert set(CHANGES) == {item.name for item in fields(ChatRequest)}


@pytest.mark.parametrize("name", CHANGES)
def test_each_field_renames_the_work(name: str) -> None:
    assert key_of(replace(BASE, **{name: CHANGES[name]})) != key_of(BASE)  # type: ignore[arg-type]


def test_unset_options_are_not_part_of_the_key() -> None:
    assert canonical_json(
        {"messages": [{"content": "Grüße, “you”", "role": "user"}], "model": "openai/m", "sample": 0}
    ) == (dump_request(BASE))


def test_zero_is_not_unset() -> None:
    assert key_of(replace(BASE, temperature=0.0)) != key_of(BASE)


def test_role_and_order_of_messages_count() -> None:
    one = replace(BASE, messages=(Message("user", "a"), Message("assistant", "b")))
    other = replace(BASE, messages=(Message("assistant", "b"), Message("user", "a")))
    assert key_of(one) != key_of(other)


def test_borders_of_digested_parts_count() -> None:
    assert digest("ab", "c") != digest("a", "bc")


def test_nan_has_no_canonical_json() -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(float("nan"))


@pytest.mark.parametrize("request_", [BASE, FULL])
def test_a_stored_request_comes_back_with_its_key(request_: ChatRequest) -> None:
    assert key_of(load_request(dump_request(request_))) == key_of(request_)


def test_a_stored_request_of_a_newer_version_is_refused() -> None:
    with pytest.raises(ValueError, match="newer version"):
        load_request('{"model": "m", "messages": [], "novel": 1}')
