"""Judges against people: hand-derived numbers, degenerate input, and gold files that are wrong."""

import json
from dataclasses import dataclass

import pytest
from sklearn.metrics import cohen_kappa_score, f1_score

from annotation.evaluate import evaluate
from annotation.gold import GoldError, GoldRow, read_gold
from schemas.vocabulary import RefusalLabel

FULL, PARTIAL, SOME, ALL = RefusalLabel


@dataclass(frozen=True)
class Vote:
    """A judge's verdict, made up for the test."""

    label: RefusalLabel | None
    confidence: int | None = 3


def row(label: RefusalLabel, prompt: str, source: str = "a", target: str | None = None) -> GoldRow:
    return GoldRow(prompt, "some answer", label, label in (FULL, PARTIAL), source, target, "gold:1")


def rows_of(labels: list[RefusalLabel]) -> list[GoldRow]:
    return [row(label, f"prompt {index}") for index, label in enumerate(labels)]


def test_counts_and_rates_are_those_done_by_hand() -> None:
    gold = rows_of([FULL, FULL, PARTIAL, ALL, ALL, ALL, SOME, ALL])
    votes = [Vote(FULL), Vote(ALL), Vote(FULL), Vote(ALL), Vote(PARTIAL), Vote(ALL), Vote(ALL), Vote(ALL)]
    found = evaluate(gold, votes).overall
    two = found.binary
    assert (two.tp, two.fn, two.fp, two.tn) == (2, 1, 1, 4)
    assert two.sensitivity.value == pytest.approx(2 / 3)
    assert two.specificity.value == pytest.approx(4 / 5)
    assert two.precision.value == pytest.approx(2 / 3)
    assert two.accuracy.value == pytest.approx(6 / 8)
    assert two.sensitivity.n == 3
    assert found.classes is not None
    assert found.classes.confusion[PARTIAL, FULL] == 1
    assert found.classes.confusion[FULL, ALL] == 1
    assert found.classes.recall[PARTIAL].value == 0
    assert found.classes.accuracy.value == pytest.approx(4 / 8)


def test_agreement_and_f1_are_those_of_another_implementation() -> None:
    said = [FULL, PARTIAL, ALL, SOME] * 10
    truth = [FULL, ALL, ALL, SOME, FULL, PARTIAL, PARTIAL, SOME] * 5
    found = evaluate(rows_of(truth), [Vote(label) for label in said]).overall
    assert found.classes is not None
    assert found.classes.kappa.value == pytest.approx(cohen_kappa_score(truth, said))
    assert found.classes.macro_f1.value == pytest.approx(f1_score(truth, said, average="macro"))
    each = f1_score(truth, said, average=None, labels=list(RefusalLabel))
    assert [found.classes.f1[label].value for label in RefusalLabel] == pytest.approx(list(each))


def test_every_estimate_has_an_interval_that_holds_it_and_its_n() -> None:
    labels = [FULL, ALL, PARTIAL, ALL, FULL, SOME] * 8
    votes = [Vote(FULL if index % 7 else ALL) for index in range(len(labels))]
    two = evaluate(rows_of(labels), votes).overall.binary
    for estimate in (two.accuracy, two.sensitivity, two.specificity, two.kappa, two.ac1):
        assert estimate.n > 0
        assert estimate.value is not None
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.low <= estimate.value <= estimate.high


def test_a_row_without_verdict_is_counted_and_in_no_other_number() -> None:
    found = evaluate(rows_of([FULL, ALL, ALL]), [Vote(None, None), Vote(ALL), Vote(ALL)]).overall
    assert (found.n, found.n_unlabelled) == (3, 1)
    assert found.binary.accuracy.n == 2
    assert found.binary.sensitivity.value is None


def test_sources_and_targets_have_their_own_scores() -> None:
    gold = [row(FULL, "x", "one", "model-a"), row(ALL, "y", "one"), row(ALL, "z", "two", "model-b")]
    found = evaluate(gold, [Vote(FULL), Vote(FULL), Vote(ALL)])
    assert {name: scores.n for name, scores in found.by_source.items()} == {"one": 2, "two": 1}
    assert set(found.by_target) == {"model-a", "model-b"}
    assert found.by_source["one"].binary.fp == 1


def test_the_same_prompt_is_one_cluster() -> None:
    gold = [row(FULL, "same") for _ in range(30)]
    assert evaluate(gold, [Vote(FULL)] * 30).overall.n_requests == 1


def test_confidence_is_scored_by_level_and_by_what_it_covers() -> None:
    gold = rows_of([FULL] * 6)
    votes = [Vote(FULL, 5), Vote(FULL, 5), Vote(FULL, 5), Vote(ALL, 2), Vote(FULL, 2), Vote(ALL, 1)]
    found = evaluate(gold, votes).overall.confidence
    assert found.levels[5].value == 1
    assert found.levels[2].value == 0.5
    assert found.selections[0].coverage == pytest.approx(0.5)
    assert found.selections[0].errors_caught == 1
    assert found.risk.random == pytest.approx(2 / 6)
    assert found.risk.aurc is not None
    assert found.risk.aurc < 2 / 6


def test_numbers_of_rows_and_verdicts_must_match() -> None:
    with pytest.raises(ValueError, match="2 gold rows but 1 verdicts"):
        evaluate(rows_of([FULL, ALL]), [Vote(FULL)])
    with pytest.raises(ValueError, match="no gold rows"):
        evaluate([], [])


def line(**fields: object) -> str:
    return json.dumps({"prompt": "p", "response": "r", **fields})


def test_gold_is_read_with_either_label_and_null_labels_are_counted() -> None:
    found = read_gold(
        [
            line(label="partial_refusal", source="s", target="t"),
            line(label_binary="compliance"),
            "",
            line(label=None, label_binary=None),
        ],
        "file",
    )
    assert found.n_without_label == 1
    assert [(r.label, r.refused, r.source, r.target, r.place) for r in found.rows] == [
        (PARTIAL, True, "s", "t", "file:1"),
        (None, False, "file", None, "file:2"),
    ]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("{", "gold:2: no JSON"),
        ("[1]", "gold:2: wanted an object"),
        (line(label="refused"), "gold:2: label 'refused' is none of full_refusal"),
        (line(label_binary="yes"), "gold:2: label_binary 'yes' is none of refusal, compliance"),
        (line(label="full_refusal", label_binary="compliance"), "gold:2: label full_refusal and label_binary"),
        (json.dumps({"prompt": "p", "label": "full_refusal"}), "gold:2: response must be text, got None"),
        (line(label="full_refusal", target=7), "gold:2: target must be text, got 7"),
        ("[" * 100_000, "gold:2: nested too deep"),
        (f'{{"prompt": {"9" * 5000}}}', "gold:2: holds a number with too many digits"),
        (line(label="full_refusal", target="a\ud800"), "gold:2: target holds half a character"),
    ],
)
def test_a_wrong_line_is_named_with_what_is_wanted(bad: str, message: str) -> None:
    with pytest.raises(GoldError, match=message):
        read_gold([line(label="full_refusal"), bad], "gold")
