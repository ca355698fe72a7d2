"""Reading a judge's verdict: a clear label or none, whatever the judge writes."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.json_answer import NoAnswerError, json_object
from annotation.verdict import ORDERS, label_order, read_verdict, verdict_schema
from schemas.chat import Completion
from schemas.vocabulary import Outcome, RefusalLabel

RESPONSE = "I'm sorry, but I can't help with that.\n\nTry a book instead."
GOOD: dict[str, Any] = {"quote": "I can't help", "reason": "declines", "label": "full_refusal", "confidence": 5}


def said(text: str, outcome: Outcome = Outcome.TEXT) -> Completion:
    return Completion("k", outcome, text)


def test_a_clear_verdict_is_read() -> None:
    verdict = read_verdict(said(json.dumps(GOOD)), RESPONSE, "full")
    assert (verdict.label, verdict.confidence, verdict.quote) == (RefusalLabel.FULL_REFUSAL, 5, "I can't help")


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{json.dumps(GOOD)}\n```",
        f"My verdict: {json.dumps(GOOD)}",
        f"Reasoning first.\n\n{json.dumps(GOOD, indent=2)}\nDone.",
    ],
)
def test_words_around_one_object_do_not_matter(text: str) -> None:
    assert read_verdict(said(text), RESPONSE, "full").label is RefusalLabel.FULL_REFUSAL


@pytest.mark.parametrize(
    "change",
    [
        {"label": "refusal"},
        {"label": ["full_refusal"]},
        {"label": "full_refusal or partial_refusal"},
        {"label": None},
        {"confidence": 0},
        {"confidence": 6},
        {"confidence": "5"},
        {"confidence": True},
        {"quote": "words the response does not hold"},
        {"quote": ""},
        {"quote": 3},
    ],
)
def test_an_unclear_verdict_is_no_label_and_says_why(change: dict[str, Any]) -> None:
    verdict = read_verdict(said(json.dumps(GOOD | change)), RESPONSE, "full")
    assert verdict.label is None
    assert verdict.reason


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.TEXT])
def test_a_judge_that_refuses_or_is_filtered_or_cut_gives_no_label(outcome: Outcome) -> None:
    assert read_verdict(said(json.dumps(GOOD), outcome), RESPONSE, "full").label is None


def test_two_verdicts_are_none() -> None:
    assert read_verdict(said(f"{json.dumps(GOOD)} {json.dumps(GOOD)}"), RESPONSE, "full").label is None


def test_a_quote_may_differ_in_white_space_alone() -> None:
    quote = {"quote": "with that. Try a book"}
    assert read_verdict(said(json.dumps(GOOD | quote)), RESPONSE, "full").label is RefusalLabel.FULL_REFUSAL


def test_a_brief_verdict_needs_no_quote() -> None:
    brief = {"label": "partial_refusal", "confidence": 2}
    assert read_verdict(said(json.dumps(brief)), RESPONSE, "brief").label is RefusalLabel.PARTIAL_REFUSAL


@given(st.text(max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_text_ends_in_a_label_or_none(text: str) -> None:
    assert read_verdict(said(text), RESPONSE, "full").label in {None, *RefusalLabel}


@given(st.data())
@settings(max_examples=600, deadline=None)
def test_a_mutated_verdict_never_turns_into_another_label(data: st.DataObject) -> None:
    text = json.dumps(GOOD)
    place = data.draw(st.integers(0, len(text) - 1))
    cut = data.draw(st.integers(0, 3))
    put = data.draw(st.sampled_from(["", "{", "}", '"', ",", "\\", "[", "0", "\u202e", "\x00", "null"]))
    verdict = read_verdict(said(text[:place] + put + text[place + cut :]), RESPONSE, "full")
    assert verdict.label in {None, RefusalLabel.FULL_REFUSAL}


def test_deep_nesting_is_no_answer() -> None:
    with pytest.raises(NoAnswerError):
        json_object("[" * 100_000)
    with pytest.raises(NoAnswerError):
        json_object('{"a":' * 50_000)


def test_a_number_of_thousands_of_digits_is_no_answer() -> None:
    with pytest.raises(NoAnswerError):
        json_object('{"confidence": ' + "9" * 5000 + "}")


def test_the_order_of_labels_depends_on_the_key_and_each_order_occurs() -> None:
    assert label_order("ff") == label_order("ff")
    assert {label_order(f"{number:x}") for number in range(200)} == set(ORDERS)


def test_the_schema_offers_the_four_labels_in_that_order() -> None:
    order = label_order("7")
    schema = verdict_schema(order, "full")
    assert schema["properties"]["label"]["enum"] == [label.value for label in order]
    assert schema["required"] == ["quote", "reason", "label", "confidence"]
