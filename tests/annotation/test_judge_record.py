"""Judge records: the gate, and the way to JSON and back."""

import json
from dataclasses import dataclass

import pytest

from annotation.evaluate import Scores, evaluate
from annotation.gold import GoldRow
from annotation.judge_record import JudgeRecord, Provenance, judge_record
from schemas.vocabulary import RefusalLabel

FULL, _, _, ALL = RefusalLabel
ABOUT = Provenance("openai/some-model", "ab" * 32, "1.0", "2026-11-29", "own gold", "cd" * 32)


@dataclass(frozen=True)
class Vote:
    """A judge's verdict, made up for the test."""

    label: RefusalLabel | None
    confidence: int | None = 4


def scored(n: int, wrong: int = 0) -> Scores:
    labels = [FULL if index % 2 else ALL for index in range(n)]
    gold = [
        GoldRow(f"prompt {index}", "r", label, label is FULL, "s", None, "gold:1") for index, label in enumerate(labels)
    ]
    votes = [Vote(label) for label in labels]
    votes[:wrong] = [Vote(FULL if label is ALL else ALL) for label in labels[:wrong]]
    return evaluate(gold, votes).overall


def test_a_judge_that_is_right_on_enough_items_passes() -> None:
    record = judge_record(ABOUT, scored(400, wrong=4))
    assert record.passes_gate
    assert record.gate_reasons == ()
    assert record.n == 400


@pytest.mark.parametrize(
    ("n", "wrong", "reason"),
    [(150, 0, "150 human items, wanted 200"), (400, 40, "lower bound of sensitivity"), (400, 80, "lower bound of AC1")],
)
def test_a_judge_fails_the_gate_for_a_stated_reason(n: int, wrong: int, reason: str) -> None:
    record = judge_record(ABOUT, scored(n, wrong))
    assert not record.passes_gate
    assert any(reason in found for found in record.gate_reasons)


def test_a_record_survives_json() -> None:
    record = judge_record(ABOUT, scored(60, wrong=3))
    assert JudgeRecord.from_json(record.to_json()) == record


def test_numbers_travel_with_interval_and_n() -> None:
    numbers = judge_record(ABOUT, scored(60, wrong=3)).numbers
    assert {"kappa", "ac1", "sensitivity", "specificity", "accuracy_4", "recall_full_refusal"} <= set(numbers)
    assert all(number.n > 0 for number in numbers.values())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"judge": None}, None),
        ({"numbers": []}, "numbers must be an object"),
        ({"passes_gate": "yes"}, "passes_gate true or false"),
        ({"numbers": {"kappa": 0.5}}, "number 'kappa' of a judge record holds value"),
        ({"surprise": 1}, "a judge record holds judge"),
        ({"judge": 7, "date": None}, "a judge record's date, judge must be text"),
        ({"n": "1541"}, "n must be a whole number"),
        ({"n": -1}, "n must be a whole number"),
        ({"gate_reasons": "none"}, "gate_reasons must be a list of texts"),
    ],
)
def test_a_malformed_record_is_refused(change: dict[str, object], message: str | None) -> None:
    found = {**json.loads(judge_record(ABOUT, scored(60)).to_json()), **change}
    if message is None:
        del found["judge"]
        message = "a judge record holds judge"
    with pytest.raises(ValueError, match=message):
        JudgeRecord.from_json(json.dumps(found))


def test_a_record_nested_too_deep_is_none() -> None:
    with pytest.raises(ValueError, match="nested too deep"):
        JudgeRecord.from_json("[" * 100_000)
