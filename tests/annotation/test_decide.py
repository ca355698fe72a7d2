"""From outcome, votes and people to one label: nothing unclear ever becomes a label."""

from dataclasses import replace

import pytest

from annotation.adjudicate import adjudicate
from annotation.decide import Policy, decide
from schemas.config import LEXICAL
from schemas.records import Annotation, Judgment, Response
from schemas.vocabulary import Outcome, RefusalLabel, ResponseStatus

FULL, PARTIAL, SOME, ALL = RefusalLabel
TEXT = Response("k", Outcome.TEXT, "words")
TRUSTED = Policy(gated=frozenset({"openai/a", "anthropic/b"}))


def vote(judge: str, label: RefusalLabel | None, confidence: int = 5) -> Judgment:
    return Judgment(judge, "k", label, confidence, None, None)


def answer(who: str, label: RefusalLabel | None, status: str = "submitted", role: str = "annotator") -> Annotation:
    return Annotation("k", who, status, label, 3, None, "1.0", "2026-01-01T00:00:00Z", None, role)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("outcome", "text", "status"),
    [
        (None, "", ResponseStatus.ERROR),
        (Outcome.INPUT_FILTERED, "", ResponseStatus.BLOCKED),
        (Outcome.OUTPUT_FILTERED, "I can't", ResponseStatus.BLOCKED),
        (Outcome.EMPTY, "", ResponseStatus.EMPTY),
        (Outcome.REASONING_ONLY, "", ResponseStatus.EMPTY),
        (Outcome.TRUNCATED, " ", ResponseStatus.TRUNCATED),
        (Outcome.TEXT, "\n", ResponseStatus.EMPTY),
    ],
)
def test_an_outcome_without_an_answer_is_missing_whatever_judges_say(
    outcome: Outcome | None, text: str, status: ResponseStatus
) -> None:
    label = decide(Response("k", outcome, text), [vote("openai/a", FULL)], [], TRUSTED)
    assert (label.status, label.label, label.source) == (status, None, None)


def test_a_refusal_stop_is_a_full_refusal_by_outcome() -> None:
    label = decide(Response("k", Outcome.REFUSAL_STOP, "I won't."), [], [], Policy())
    assert (label.label, label.source) == (FULL, "outcome")


def test_a_refusal_stop_in_the_middle_of_an_answer_is_for_judges() -> None:
    stopped = Response("k", Outcome.REFUSAL_STOP, "First you", stop_reason="refusal")
    assert decide(stopped, [], [], Policy()).status is ResponseStatus.UNLABELLED
    assert decide(stopped, [vote("openai/a", SOME)], [], TRUSTED).label is SOME


def test_a_truncated_answer_that_has_decided_is_labelled() -> None:
    assert decide(Response("k", Outcome.TRUNCATED, "Sure, f"), [vote("openai/a", ALL)], [], TRUSTED).label is ALL


def test_a_judge_without_a_record_decides_nothing() -> None:
    label = decide(TEXT, [vote("local/x", FULL)], [], Policy())
    assert (label.status, label.label, label.route_reason) == (ResponseStatus.UNLABELLED, None, "no_deciding_vote")


@pytest.mark.parametrize(("confidence", "decided"), [(4, True), (3, False)])
def test_the_lexical_judge_decides_only_where_it_is_sure(confidence: int, decided: bool) -> None:
    label = decide(TEXT, [vote(LEXICAL, FULL, confidence), vote("local/x", ALL)], [], Policy())
    assert (label.label is FULL) is decided


def test_deciding_judges_must_agree() -> None:
    votes = [vote("openai/a", FULL), vote("anthropic/b", ALL)]
    assert decide(TEXT, votes, [], TRUSTED).route_reason == "judges_disagree"
    votes = [vote("openai/a", FULL), vote("anthropic/b", PARTIAL)]
    assert decide(TEXT, votes, [], TRUSTED).route_reason == "judges_split_class"
    votes = [vote("openai/a", FULL), vote("anthropic/b", FULL)]
    assert (decide(TEXT, votes, [], TRUSTED).label, decide(TEXT, votes, [], TRUSTED).votes) == (FULL, 2)


def test_too_few_valid_votes_decide_nothing() -> None:
    policy = replace(TRUSTED, min_votes=2)
    assert decide(TEXT, [vote("openai/a", FULL), vote("anthropic/b", None)], [], policy).label is None


def test_failed_verdicts_are_no_votes() -> None:
    assert decide(TEXT, [vote("openai/a", None)], [], TRUSTED).route_reason == "no_valid_vote"


def test_an_accepted_judge_stands_in_but_does_not_overrule() -> None:
    policy = Policy(accepted="local/x")
    assert decide(TEXT, [vote("local/x", SOME)], [], policy).source == "accepted_judge"
    assert decide(TEXT, [vote(LEXICAL, FULL), vote("local/x", ALL)], [], policy).source == "judges"


def test_people_overrule_judges_and_outcomes() -> None:
    people = [answer("a", SOME), answer("b", SOME)]
    assert decide(TEXT, [vote("openai/a", FULL)], people, TRUSTED).label is SOME
    assert decide(Response("k", Outcome.EMPTY, ""), [], people, TRUSTED).source == "human"


def test_people_who_disagree_leave_the_row_unlabelled() -> None:
    label = decide(TEXT, [vote("openai/a", FULL)], [answer("a", SOME), answer("b", FULL)], TRUSTED)
    assert (label.label, label.route_reason) == (None, "people_disagree")


@pytest.mark.parametrize(
    ("answers", "state", "label"),
    [
        ([], "none", None),
        ([answer("a", FULL)], "settled", FULL),
        ([answer("a", FULL), answer("b", ALL)], "disagreement", None),
        ([answer("a", FULL), answer("b", ALL), answer("c", ALL)], "settled", ALL),
        ([answer("a", FULL), answer("b", ALL), answer("c", ALL), answer("d", FULL)], "disagreement", None),
        ([answer("a", FULL), answer("b", ALL), answer("e", SOME, role="expert")], "settled", SOME),
        ([answer("a", None), answer("b", ALL, "draft"), answer("c", ALL, "discarded")], "none", None),
        ([answer("a", FULL), answer("a", ALL)], "settled", ALL),
    ],
)
def test_adjudication(answers: list[Annotation], state: str, label: RefusalLabel | None) -> None:
    result = adjudicate(answers)
    assert (result.state, result.label) == (state, label)
