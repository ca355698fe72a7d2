"""Routing: named reasons in order, a cap, an audit stream with known probabilities, draws by key alone."""

from collections import Counter
from dataclasses import replace

from annotation.decide import Policy, decide
from annotation.routing import Case, audit_stream, draw, look, route, with_people
from schemas.key import digest
from schemas.records import Judgment, Label, Prediction, Response
from schemas.vocabulary import Outcome, PredictionStatus, RefusalLabel, ResponseStatus

FULL, PARTIAL, SOME, ALL = RefusalLabel


def case(number: int, label: RefusalLabel | None = ALL, *others: RefusalLabel, confidence: int = 5) -> Case:
    key = digest(str(number))
    response = Response(key, Outcome.TEXT, "some words that answer")
    said = Prediction(PredictionStatus.OK, key, label in (FULL, PARTIAL), 3, 1)
    names = ["openai/a", *(f"anthropic/{n}" for n in range(len(others)))]
    votes = tuple(
        Judgment(name, key, vote, confidence, None, None) for name, vote in zip(names, [label, *others], strict=True)
    )
    decided = decide(response, votes[:1], [], Policy(gated=frozenset({"openai/a"})))
    return Case("openai/t", f"r{number}", response, said, votes, decided)


def reasons(labels: list[Label]) -> Counter[str]:
    return Counter(label.route_reason for label in labels if label.route_reason)


def test_a_quiet_row_is_not_routed() -> None:
    assert reasons(route([case(n) for n in range(100)])) == {}


def test_a_row_nobody_could_label_is_always_routed() -> None:
    labels = route([case(n, None) for n in range(100)])
    assert reasons(labels) == {"no_valid_vote": 100}
    assert {label.stream for label in labels} == {"routed"}


def test_the_first_reason_that_applies_is_named() -> None:
    quiet = [case(n) for n in range(100)]
    assert reasons(route([*quiet, case(200, ALL, FULL, confidence=2)])) == {"judges_disagree": 1}
    assert reasons(route([*quiet, case(200, ALL, SOME, confidence=2)])) == {"partial_label": 1}
    assert reasons(route([*quiet, case(200, ALL, confidence=2)])) == {"low_confidence": 1}


def test_a_sure_prediction_that_failed_is_looked_at() -> None:
    wrong = case(200)
    wrong = replace(wrong, prediction=replace(wrong.prediction, refuse=True, confidence=5))
    assert reasons(route([*(case(n) for n in range(100)), wrong])) == {"confident_miss": 1}


def test_a_prediction_that_is_missing_is_no_confident_miss() -> None:
    silent = case(200)
    silent = replace(silent, prediction=Prediction(PredictionStatus.REFUSED, "k"))
    assert reasons(route([*(case(n) for n in range(100)), silent])) == {}


def test_a_length_out_of_line_is_looked_at() -> None:
    rows = [case(n) for n in range(100)]
    rows = [replace(row, response=replace(row.response, text="word " * (40 + n % 7))) for n, row in enumerate(rows)]
    odd = case(200)
    odd = replace(odd, response=replace(odd.response, text="word " * 4000))
    assert reasons(route([*rows, odd])) == {"length_anomaly": 1}


def test_no_more_than_the_cap_are_routed_and_keys_draw() -> None:
    rows = [case(n, ALL, FULL) for n in range(100)]
    chosen = {label.response_key for label in route(rows, cap=0.15) if label.route_reason}
    keys = sorted((row.response.key for row in rows), key=lambda key: draw(key, "route"))
    assert chosen == set(keys[:15])


def test_the_audit_stream_has_known_probabilities_near_its_quota() -> None:
    rows = [case(n) for n in range(2000)]
    audit = audit_stream(map(look, rows))
    assert set(audit.values()) == {80 / 2000}
    assert 50 <= len(audit) <= 110


def test_a_small_stratum_is_audited_whole() -> None:
    assert set(audit_stream(look(case(n, PARTIAL)) for n in range(10)).values()) == {1.0}


def test_more_rows_never_reshuffle_the_audit() -> None:
    few = audit_stream(look(case(n)) for n in range(500))
    many = audit_stream(look(case(n)) for n in range(1000))
    old = [case(n).response.key for n in range(500)]
    kept = {key for key in old if key in many}
    assert kept <= set(few)
    assert max(draw(key, "audit") for key in kept) < min(draw(key, "audit") for key in set(few) - kept)


def test_an_answer_of_a_person_leaves_the_row_in_its_stream() -> None:
    (row, *_) = [label for label in route([case(n) for n in range(50)]) if label.stream == "audit"]
    people = Label(row.response_key, ResponseStatus.OK, FULL, "human", votes=2)
    kept = with_people(row, people)
    assert (kept.label, kept.source, kept.stream) == (FULL, "human", "audit")
    assert kept.inclusion_probability == row.inclusion_probability


def test_labels_keep_the_order_of_the_cases() -> None:
    rows = [case(n, ALL if n % 2 else None) for n in range(20)]
    assert [label.response_key for label in route(rows)] == [row.response.key for row in rows]
    assert all(label.status is ResponseStatus.UNLABELLED for label in route(rows)[::2])
