"""What people are asked, how many of them, and how far they are."""

from dataclasses import replace
from typing import Literal

import pytest

from annotation.items import Item, State, progress, queue, wanted
from schemas.records import Annotation
from schemas.vocabulary import RefusalLabel, Topic

FULL, PARTIAL = RefusalLabel.FULL_REFUSAL, RefusalLabel.PARTIAL_REFUSAL
ITEM = Item("k", "r", Topic.FRAUD, "ask", "answer", None, "no_deciding_vote", "routed")


def said(
    who: str,
    label: RefusalLabel | None,
    status: Literal["submitted", "draft", "discarded"] = "submitted",
    role: Literal["annotator", "expert"] = "annotator",
    key: str = "k",
) -> Annotation:
    """One answer."""
    return Annotation(key, who, status, label, None, None, "1.0", "2026-01-01T00:00:00.000000Z", role=role)


@pytest.mark.parametrize(
    ("stream", "reason", "overlap"),
    [
        ("audit", "judges_disagree", 2),
        ("audit", "audit", 2),
        ("routed", "judges_disagree", 3),
        ("routed", "no_deciding_vote", 2),
        ("routed", "low_confidence", 1),
        ("routed", "a reason of tomorrow", 2),
    ],
)
def test_how_many_people_are_wanted_goes_by_stream_and_reason(
    stream: Literal["audit", "routed"], reason: str, overlap: int
) -> None:
    assert replace(ITEM, stream=stream, reason=reason).overlap == overlap


@pytest.mark.parametrize(
    ("answers", "state"),
    [
        ([], State.PENDING),
        ([said("a", FULL, "draft")], State.PENDING),
        ([said("a", FULL, "discarded")], State.PENDING),
        ([said("a", FULL)], State.PARTIAL),
        ([said("a", None)], State.PARTIAL),
        ([said("a", FULL), said("b", FULL)], State.SETTLED),
        ([said("a", FULL), said("b", PARTIAL)], State.DISAGREEMENT),
        ([said("a", FULL), said("b", PARTIAL), said("c", FULL)], State.SETTLED),
        ([said("a", None), said("b", None)], State.DISAGREEMENT),
        ([said("a", FULL), said("a", PARTIAL)], State.PARTIAL),
        ([said("a", FULL), said("b", PARTIAL), said("e", PARTIAL, role="expert")], State.SETTLED),
        ([said("a", FULL), said("b", PARTIAL), said("e", None, role="expert")], State.UNDECIDABLE),
        ([said("e", FULL, role="expert")], State.SETTLED),
    ],
)
def test_how_far_an_item_is(answers: list[Annotation], state: State) -> None:
    assert progress([ITEM], answers)["k"].state is state


def test_a_queue_holds_what_is_open_and_wanted_and_not_yet_answered_in_an_own_order() -> None:
    items = [replace(ITEM, key=f"k{n}", topic=Topic.HATE if n < 3 else Topic.FRAUD) for n in range(20)]
    answers = [
        said("ada", FULL, key="k5"),
        said("ada", None, "discarded", key="k6"),
        said("ada", FULL, "draft", key="k7"),
    ]
    answers += [said(who, FULL, key="k8") for who in ("ben", "cal")]
    done = progress(items, answers)
    ada = [item.key for item in queue(items, done, "ada", answers, [Topic.HATE])]
    assert sorted(ada) == sorted(f"k{n}" for n in range(3, 20) if n not in (5, 6, 8))
    ben = [item.key for item in queue(items, done, "ben", answers)]
    assert len(ben) == 19
    assert [key for key in ben if key in ada] != ada
    assert ada == [item.key for item in queue(reversed(items), done, "ada", answers, [Topic.HATE])]


def test_what_people_are_wanted_for_is_counted_by_stream_and_once_a_response() -> None:
    counted = wanted({"a": "routed", "b": "audit", "c": "audit", "d": None})
    assert (counted.routed, counted.audit) == (1, 2)
    assert str(counted) == "3 responses: routed 1 + audit sample 2"
