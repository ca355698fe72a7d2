"""Counts, uniqueness, form, near-duplicates and paraphrase bands; and the bundled corpus as a whole."""

import time
from dataclasses import replace

import pytest

from builder.corpus_file import BUNDLED, read_corpus
from builder.corpus_rules.balance import check_balance
from builder.stages.validate import check
from schemas.records import Request
from schemas.vocabulary import HarmLevel, ParaphraseKind, Topic
from tests.builder.corpus_rules.sample import request

BASE = "Why do old ladies in cartoons always carry such heavy handbags with them?"
OTHER = "Which kinds of cheese does a mouse like best according to science?"


def rules(*requests: Request, complete: bool = False) -> list[str]:
    """The rules that an incomplete corpus of these requests breaks."""
    return [complaint.rule for complaint in check(requests, complete=complete)]


def test_a_sound_corpus_has_no_complaint() -> None:
    assert rules(request(BASE, ["cartoon grannies, weighty bags, reason"]), request(OTHER, number=2)) == []


def test_an_empty_corpus_is_sound_unless_it_claims_to_be_complete() -> None:
    assert rules() == []
    assert set(rules(complete=True)) == {"cell-count"}


def test_the_bundled_corpus_is_sound_and_is_checked_within_two_seconds() -> None:
    requests = read_corpus(BUNDLED).requests
    started = time.process_time()
    complaints = check(requests)
    assert time.process_time() - started < 2
    assert [str(complaint) for complaint in complaints if complaint.file in {r.file for r in requests}] == []


def test_a_missing_request_is_a_cell_count_that_says_how_many_are_wanted() -> None:
    requests = [r for r in read_corpus(BUNDLED).requests if r.request_id != "weapons-L3-10"]
    found = [c for c in check_balance(requests) if c.rule == "cell-count"]
    assert [(c.file, c.item, c.advice) for c in found] == [
        ("weapons.yaml", "level 3", "found 9 requests, want 10: add or remove some")
    ]


def test_a_missing_paraphrase_and_a_lopsided_kind_are_named_in_a_complete_corpus() -> None:
    requests = list(read_corpus(BUNDLED).requests)
    requests[0] = replace(requests[0], paraphrases=requests[0].paraphrases[:1])
    assert [c.rule for c in check_balance(requests)] == ["paraphrase-count"]
    terse = [
        replace(r, paraphrases=tuple(replace(p, kind=ParaphraseKind.TERSE) for p in r.paraphrases)) for r in requests
    ]
    assert {c.rule for c in check_balance(terse)} == {"paraphrase-count", "kind-balance"}


def test_an_id_met_twice_is_named_with_the_place_of_the_first() -> None:
    (complaint,) = check([request(BASE), replace(request(OTHER), line=99)], complete=False)
    assert str(complaint) == (
        "fraud.yaml:99: fraud-L1-01: same-id: the id is taken by fraud.yaml:10: number this one anew"
    )


@pytest.mark.parametrize(
    ("copy", "rule"),
    [(BASE, "same-text"), (BASE.upper().replace("?", " !"), "same-text-normalised")],
)
def test_a_repeated_text_is_found_also_behind_case_and_punctuation(copy: str, rule: str) -> None:
    found = [c for c in check([request(BASE), request(copy, number=2)], complete=False) if c.rule.startswith("same")]
    assert [(c.item, c.rule) for c in found] == [("fraud-L1-02", rule)]
    assert "fraud-L1-01" in found[0].advice


def test_a_near_duplicate_in_another_topic_names_both_texts() -> None:
    near = BASE.replace("heavy", "gigantic")
    (complaint,) = check([request(BASE), request(near, topic=Topic.HATE)], complete=False)
    assert (complaint.file, complaint.item, complaint.rule) == ("hate.yaml", "hate-L1-01", "near-duplicate")
    assert "fraud-L1-01" in complaint.advice


def test_the_same_words_in_another_order_are_a_near_duplicate() -> None:
    shuffled = " ".join(sorted(BASE.split()))
    assert rules(request(BASE), request(shuffled, number=2)) == ["near-duplicate"]


def test_a_paraphrase_that_swaps_one_word_is_a_near_copy() -> None:
    assert rules(request(BASE, [BASE.replace("heavy", "big")])) == ["paraphrase-copy"]


def test_a_paraphrase_under_the_wrong_request_is_misplaced() -> None:
    moved = "According to science, of which cheese does a mouse like the taste best?"
    found = check([request(BASE, [moved]), request(OTHER, number=2)], complete=False)
    assert "paraphrase-misplaced" in {c.rule for c in found}


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Far too short", "length"),
        ("word " * 60 + "word", "length"),
        ("a " + "x" * 300 + " is so long", "length"),
        ("It’s a curly apostrophe, you see", "characters"),
        ("A tab\tis not a space here", "characters"),
        ("A smiling face 🙂 is not allowed", "characters"),
        ("Two  spaces are one too many", "spaces"),
        (" A leading space is wrong too", "spaces"),
    ],
)
def test_length_characters_and_spaces_have_limits(text: str, rule: str) -> None:
    assert set(rules(request(text))) == {rule}


def test_accented_letters_pass() -> None:
    assert rules(request("Why does a café serve crème brûlée so late?")) == []


def test_paraphrases_of_one_request_are_of_different_kinds() -> None:
    texts = ["cartoon grannies, weighty bags, reason", "I wonder what makes grandmothers on television lug such loads."]
    twice = (ParaphraseKind.TERSE, ParaphraseKind.TERSE)
    assert rules(request(BASE, texts)) == []
    assert rules(request(BASE, texts, kinds=twice)) == ["same-kind"]


def test_complaints_come_in_the_order_of_file_and_line() -> None:
    found = check(
        [request("Too short", number=3), request("Short", number=2), request("x", topic=Topic.DRUGS)], complete=False
    )
    assert [(c.file, c.line) for c in found] == sorted((c.file, c.line) for c in found)


def test_levels_do_not_change_the_rules() -> None:
    assert rules(request(BASE, level=HarmLevel.PLAINLY_HARMFUL)) == []
