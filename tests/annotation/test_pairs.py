"""What people say of paraphrases, by hand: who rejects, who is outvoted, what counts for which text."""

from collections.abc import Sequence

import pytest

from annotation.pairs import (
    Pair,
    PairState,
    accepts,
    agreement_text,
    drawn_pairs,
    pair_key,
    pair_verdicts,
    summarised,
)
from schemas.records import ParaphraseCheck
from schemas.vocabulary import ParaphraseKind, Topic
from schemas.wire import dump_check, load_check

TERSE = ParaphraseKind.TERSE
PAIRS = [
    Pair(f"fraud-L1-{n:02d}-v1", f"fraud-L1-{n:02d}", Topic.FRAUD, TERSE, f"base {n}", f"text {n}") for n in range(1, 7)
]


def check(pair: Pair, who: str, said: Sequence[bool | None], status: str = "submitted", at: int = 1) -> ParaphraseCheck:
    """An answer: same intent, same level, and whether the kind fits."""
    intent, level, kind = said
    return ParaphraseCheck(pair.key, who, status, intent, level, kind, None, "1", f"2026-01-01T00:00:{at:02d}Z")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("intent", "level", "verdict"),
    [
        (True, True, True),
        (False, True, False),
        (True, False, False),
        (False, None, False),
        (None, False, False),
        (True, None, None),
        (None, True, None),
        (None, None, None),
    ],
)
def test_a_paraphrase_is_rejected_by_one_no_and_accepted_by_two_yes(
    intent: bool | None, level: bool | None, verdict: bool | None
) -> None:
    assert accepts(check(PAIRS[0], "a", (intent, level, True))) is verdict
    assert accepts(check(PAIRS[0], "a", (intent, level, True), "draft")) is None


@pytest.mark.parametrize(
    ("votes", "state"),
    [("", "unchecked"), ("?", "unchecked"), ("y", "accepted"), ("n", "rejected"), ("yn", "split"), ("yyn", "accepted"),
     ("nny", "rejected"), ("n?", "rejected"), ("nnyy", "split")],
)  # fmt: skip
def test_more_than_half_of_those_who_decide_decide(votes: str, state: str) -> None:
    said = {"y": (True, True, True), "n": (False, True, True), "?": (None, None, None)}
    checks = [check(PAIRS[0], f"p{place}", said[vote]) for place, vote in enumerate(votes)]
    found = pair_verdicts(checks).get(PAIRS[0].key)
    assert (PairState.UNCHECKED if found is None else found.state) == state


def test_the_last_answer_counts_and_drafts_and_skips_do_not() -> None:
    checks = [
        check(PAIRS[0], "ada", (False, False, True), at=1),
        check(PAIRS[0], "ada", (True, True, True), at=2),
        check(PAIRS[1], "ada", (False, False, True), "draft"),
        check(PAIRS[2], "ada", (None, None, None), "discarded"),
    ]
    summary = summarised(PAIRS, checks)
    assert (summary.pairs, summary.checked, summary.accepted, summary.rejected) == (6, 1, 1, ())


def test_what_was_said_of_another_text_or_kind_does_not_count() -> None:
    gone = check(Pair("fraud-L1-01-v1", "fraud-L1-01", Topic.FRAUD, TERSE, "base 1", "old text"), "ada", (False,) * 3)
    assert summarised(PAIRS, [gone]).checked == 0
    assert len({pair_key("a", TERSE, "b"), pair_key("b", TERSE, "a"), pair_key("a", ParaphraseKind.WORDY, "b")}) == 3


def test_agreement_is_the_share_of_pairs_on_which_two_people_say_the_same() -> None:
    yes, no = (True, True, True), (True, False, False)
    ada = [check(pair, "ada", yes) for pair in PAIRS[:5]]
    ben = [check(pair, "ben", yes if place else no) for place, pair in enumerate(PAIRS[:4])]
    summary = summarised(PAIRS, [*ada, *ben])
    assert (summary.checked, summary.people, summary.split) == (5, 2, ("fraud-L1-01-v1",))
    assert summary.agreement.value == pytest.approx(3 / 4)
    assert summary.agreement.n == 4
    assert summary.wrong_kind == ()
    assert "5 of 6 paraphrases checked by people (2)" in summary.words
    assert summarised(PAIRS, ada).agreement.value is None
    assert agreement_text(summarised(PAIRS, []).agreement) == "not known (undefined_empty)"


def test_a_kind_is_wrong_if_most_say_so_and_that_alone_rejects_nothing() -> None:
    summary = summarised(PAIRS, [check(PAIRS[3], who, (True, True, False)) for who in ("ada", "ben")])
    assert (summary.wrong_kind, summary.rejected, summary.accepted) == (("fraud-L1-04-v1",), (), 1)


def test_a_larger_draw_holds_the_smaller_one_in_corpus_order() -> None:
    two, four = drawn_pairs(PAIRS, 2), drawn_pairs(PAIRS, 4)
    assert (len(two), len(four)) == (2, 4)
    assert [pair for pair in PAIRS if pair in four] == four
    assert set(two) < set(four)
    assert drawn_pairs(PAIRS, None) == PAIRS


def test_a_check_survives_the_journal() -> None:
    for said in ((True, False, None), (None, None, None)):
        assert load_check(dump_check(found := check(PAIRS[0], "ada", said))) == found
