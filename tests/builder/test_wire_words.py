"""The providers' own words for how an answer ended, where its thoughts are, and what it cost."""

from typing import Any

import pytest

from annotation.outcome_rules import ruling
from builder.providers.anthropic_wire import from_anthropic
from builder.providers.openai_wire import from_openai
from builder.providers.protocol import CallError, FailureKind
from builder.providers.responses_wire import from_responses
from builder.stages.respond import read
from schemas.chat import Completion
from schemas.vocabulary import Outcome

HALF = "To begin with, you take"


def chat(content: object, finish: str | None = "stop", usage: dict[str, int] | None = None, **more: Any) -> Completion:
    """What is read of one choice."""
    choice = {"finish_reason": finish, "message": {"role": "assistant", "content": content}} | more
    return from_openai({"choices": [choice], "usage": usage}, "k")


@pytest.mark.parametrize("word", ["insufficient_system_resource", "error", "abort", "ERROR"])
def test_an_answer_that_was_broken_off_is_a_failure_of_the_server(word: str) -> None:
    with pytest.raises(CallError) as caught:
        chat(HALF, word)
    assert caught.value.kind == "server"


@pytest.mark.parametrize("word", ["length", "max_tokens", "model_length", "LENGTH"])
def test_an_answer_at_its_longest_is_truncated(word: str) -> None:
    assert chat(HALF, word).outcome is Outcome.TRUNCATED


def test_a_filter_s_reason_may_follow_a_colon_and_the_message_be_missing() -> None:
    assert chat(None, "content_filter: PROHIBITED_CONTENT").outcome is Outcome.OUTPUT_FILTERED
    bare = from_openai({"choices": [{"finish_reason": "content_filter"}]}, "k")
    assert (bare.outcome, bare.text) == (Outcome.OUTPUT_FILTERED, "")


@pytest.mark.parametrize("finish", ["stop", "content_filter", None])
def test_a_refusal_midway_is_judged_alike_through_a_router_and_without_one(finish: str | None) -> None:
    routed = chat(HALF, finish, native_finish_reason="refusal")
    direct = from_anthropic({"content": [{"type": "text", "text": HALF}], "stop_reason": "refusal"}, "k")
    assert (routed.outcome, routed.text, routed.stop_reason) == (direct.outcome, direct.text, direct.stop_reason)
    assert ruling(read("k", routed, "openrouter/vendor/m")) is None


def test_a_refusal_in_words_of_its_own_is_a_full_refusal_though_a_router_calls_it_one_too() -> None:
    body = {"content": None, "refusal": "I can't."}
    completion = chat(None, native_finish_reason="refusal", message=body)
    assert (completion.text, completion.stop_reason) == ("I can't.", "stop")
    assert ruling(read("k", completion, "openrouter/vendor/m")) is not None


@pytest.mark.parametrize("nothing", [None, 7, ["x"]])
def test_a_part_without_text_adds_none(nothing: object) -> None:
    part = {"type": "text", "text": nothing}
    assert chat([part, {"type": "text", "text": "Sure."}]).text == "Sure."
    assert from_anthropic({"content": [part], "stop_reason": "end_turn"}, "k").outcome is Outcome.EMPTY
    output = [{"type": "message", "content": [part | {"type": "output_text"}]}]
    assert from_responses({"status": "completed", "output": output}, "k").outcome is Outcome.EMPTY


@pytest.mark.parametrize(
    ("said", "text", "outcome"),
    [
        ("Refuse? No.\n</think>\n\nSure.", "\n\nSure.", Outcome.TEXT),
        ("Refuse? No.</thinking>Sure.", "Sure.", Outcome.TEXT),
        ("Refuse? Yes.\n</think>", "", Outcome.REASONING_ONLY),
        ("<think>No.</think>The tag </think> ends it.", "The tag </think> ends it.", Outcome.TEXT),
        ("Write <think> first and </think> last.", "Write <think> first and </think> last.", Outcome.TEXT),
        ("I think so.", "I think so.", Outcome.TEXT),
    ],
)
def test_thoughts_end_at_their_tag_also_where_none_began_them(said: str, text: str, outcome: Outcome) -> None:
    completion = chat(said)
    assert (completion.text, completion.outcome) == (text, outcome)


@pytest.mark.parametrize(
    ("usage", "output"),
    [
        ({"prompt_tokens": 32, "completion_tokens": 9, "total_tokens": 341}, 309),
        ({"prompt_tokens": 32, "completion_tokens": 309, "total_tokens": 341}, 309),
        ({"prompt_tokens": 32, "completion_tokens": 9, "total_tokens": 0}, 9),
        ({"prompt_tokens": 32, "completion_tokens": 9, "total_tokens": 2**40}, 9),
        ({"completion_tokens": 9, "total_tokens": 341}, 9),
        ({"prompt_tokens": 32, "total_tokens": 341}, None),
    ],
)
def test_thoughts_that_only_the_total_counts_are_counted(usage: dict[str, int], output: int | None) -> None:
    assert chat("x", usage=usage).usage.output_tokens == output


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"type": "rate_limit_error"}, "rate_limited"),
        ({"type": "overloaded_error"}, "overloaded"),
        ({"type": "api_error"}, "server"),
        ({"type": "authentication_error"}, "auth"),
        ({"type": "not_found_error"}, "not_found"),
        ({"type": "invalid_request_error", "message": "max_tokens: too large"}, "rejected"),
        ({"type": "insufficient_quota"}, "auth"),
        ({"code": "strange", "type": "server_error"}, "server"),
        ({"code": 200}, "server"),
        ({}, "server"),
    ],
)
def test_an_error_inside_http_200_is_told_by_its_word_in_both_protocols(
    error: dict[str, Any], kind: FailureKind
) -> None:
    for reads in (from_openai, from_anthropic):
        with pytest.raises(CallError) as caught:
            reads({"type": "error", "error": error | {"param": None}}, "k")
        assert caught.value.kind == kind


def test_a_filter_that_speaks_inside_http_200_is_an_outcome_in_both_protocols() -> None:
    body = {"error": {"type": "invalid_request_error", "message": "Output blocked by content filtering policy"}}
    assert from_openai(body, "k").outcome is from_anthropic(body, "k").outcome is Outcome.OUTPUT_FILTERED
