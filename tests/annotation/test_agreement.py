"""Agreement of people, with values derived by hand, and people who should be looked at."""

from collections.abc import Callable
from datetime import UTC, datetime

import numpy as np
import pytest

from annotation.agreement import LABELS, AgreementReport, agreement_report
from annotation.pace import pace, timed
from schemas.records import Annotation
from schemas.vocabulary import RefusalLabel

F, P, C, A = LABELS


def answer(key: str, who: str, label: RefusalLabel | None, minute: int = 0, status: str = "submitted") -> Annotation:
    """One answer at a minute of a day."""
    at = f"2026-01-01T{minute // 60:02}:{minute % 60:02}:00.000000Z"
    assert status in ("submitted", "discarded")
    return Annotation(key, who, "submitted" if status == "submitted" else "discarded", label, None, None, "1.0", at)


def report(answers: list[Annotation], verdicts: dict[str, dict[str, RefusalLabel]] | None = None) -> AgreementReport:
    """The report with every response a request of its own."""
    return agreement_report(answers, {a.response_key: a.response_key for a in answers}, verdicts or {})


# Ten items, two people; they agree on 8: FFFF AAAA, and say F/P and P/A of two.
PAIRS = [(F, F)] * 4 + [(A, A)] * 4 + [(F, P), (P, A)]
ANSWERS = [
    answer(f"k{n}", who, label, minute=n)
    for n, pair in enumerate(PAIRS)
    for who, label in zip(("ada", "ben"), pair, strict=True)
]


def test_two_people_agree_as_computed_by_hand() -> None:
    found = report(ANSWERS).overall
    assert found.raw.value == pytest.approx(0.8)
    # Shares F 9/20, P 2/20, A 9/20: pe = (1/3)(2 · .45 · .55 + .1 · .9) = .195; AC1 = (.8 − .195)/(1 − .195).
    assert found.ac1.value == pytest.approx((0.8 - 0.195) / (1 - 0.195))
    # Ordinal distances from the cumulated counts 9, 2, 0, 9: F–P (4.5 + 1)² = 30.25, P–A (1 + 4.5)² = 30.25,
    # F–A (4.5 + 2 + 4.5)² = 121. Do = 2(30.25 + 30.25); De = 2(9·2·30.25 + 2·9·30.25 + 9·9·121)/19.
    observed, expected = 2 * (30.25 + 30.25), 2 * (18 * 30.25 + 18 * 30.25 + 81 * 121) / 19
    assert found.alpha.value == pytest.approx(1 - observed / expected)
    assert found.raw.n == found.raw.n_requests == 10


def test_one_label_against_the_rest() -> None:
    classes = report(ANSWERS).classes
    assert classes[F].raw.value == pytest.approx(0.9)
    assert classes[P].raw.value == pytest.approx(0.8)
    assert classes[C].raw.value == pytest.approx(1.0)


def test_a_judge_is_compared_with_what_people_settled_on() -> None:
    verdicts = {f"k{n}": F if n < 5 else A for n in range(10)}
    judged = report(ANSWERS, {"judge": verdicts}).judges["judge"]
    # People settled k0 to k7: F F F F A A A A; the judge says F of k4 too.
    assert judged.raw.n == 8
    assert judged.raw.value == pytest.approx(7 / 8)


def test_experts_decide_but_do_not_count_as_a_vote() -> None:
    expert = Annotation("k8", "eve", "submitted", P, None, None, "1.0", "2026-01-02T00:00:00.000000Z", role="expert")
    found = report([*ANSWERS, expert], {"judge": {"k8": P}})
    assert found.overall == report(ANSWERS).overall
    assert (found.judges["judge"].raw.n, found.judges["judge"].raw.value) == (1, 1.0)
    assert [a.annotator for a in found.annotators] == ["ada", "ben"]


def test_only_the_last_answer_counts_and_skips_are_counted_apart() -> None:
    answers = [
        *ANSWERS,
        answer("k8", "ben", F),
        answer("k9", "ben", None),
        answer("k10", "ben", None, status="discarded"),
    ]
    found = report(answers)
    assert (found.items, found.labels) == (10, 19)
    assert (found.annotators[1].cannot_tell, found.annotators[1].skipped) == (1, 1)


def test_nothing_and_one_person_give_no_number_and_no_error() -> None:
    assert report([]).overall.raw.value is None
    alone = report([answer(f"k{n}", "ada", F) for n in range(5)])
    assert alone.overall.ac1.value is None
    assert alone.periods == ()


def crowd(odd: Callable[[int, np.random.Generator], RefusalLabel], seed: int) -> AgreementReport:
    """Three people who mostly see the truth and one who labels by `odd`, on 80 items."""
    rng = np.random.default_rng(seed)
    answers = []
    for n in range(80):
        truth = int(rng.integers(4))
        for who in ("ada", "ben", "cal"):
            slip = truth if rng.random() < 0.9 else int(rng.integers(4))
            answers.append(answer(f"k{n}", who, LABELS[slip], minute=n))
        answers.append(answer(f"k{n}", "dan", odd(n, rng), minute=n))
    return report(answers)


@pytest.mark.parametrize("seed", range(5))
def test_who_labels_at_random_stands_out_and_nobody_else(seed: int) -> None:
    found = crowd(lambda _, rng: LABELS[int(rng.integers(4))], seed)
    assert {a.annotator for a in found.annotators if a.odd} == {"dan"}
    assert "hardly more than by chance" in found.annotators[3].odd[0]


@pytest.mark.parametrize("seed", range(5))
def test_who_always_says_the_same_stands_out_and_nobody_else(seed: int) -> None:
    found = crowd(lambda _n, _rng: F, seed)
    assert {a.annotator for a in found.annotators if a.odd} == {"dan"}
    assert found.annotators[3].odd[0].startswith("says full_refusal 100% of the time")


def test_agreement_that_gets_worse_shows_over_time() -> None:
    good = [answer(f"a{n}", who, LABELS[n % 4], minute=n) for n in range(40) for who in ("ada", "ben")]
    bad = [
        answer(f"b{n}", who, LABELS[(n + shift) % 4], minute=100 + n)
        for n in range(40)
        for shift, who in enumerate(("ada", "ben"))
    ]
    values = [period.agreement.raw.value for period in report(good + bad).periods]
    assert values == [1.0, 1.0, 0.0, 0.0]


def test_pace_is_labels_an_hour_over_the_last_hour() -> None:
    answers = [answer(f"k{n}", "ada", F, minute=n) for n in range(60)]
    assert pace(answers, datetime(2026, 1, 1, 0, 59, 30, tzinfo=UTC)) == pytest.approx(60 / (59.5 / 60))
    assert pace(answers, datetime(2026, 1, 1, 5, tzinfo=UTC)) is None
    assert pace([], datetime(2026, 1, 1, tzinfo=UTC)) is None


def test_answers_that_came_in_one_table_say_nothing_of_pace_or_time() -> None:
    table = [answer(f"t{n}", who, F, minute=30) for n in range(40) for who in ("ada", "ben")]
    by_hand = [answer(f"h{n}", who, F, minute=n) for n in range(8) for who in ("ada", "cem")]
    now = datetime(2026, 1, 1, 0, 31, tzinfo=UTC)
    assert pace(table, now) is None
    assert pace(table + by_hand, now) == pytest.approx(16 / (31 / 60))
    found = report(table + by_hand)
    assert found.untimed == 40
    assert sum(period.agreement.raw.n for period in found.periods) == 8


def test_a_response_is_in_a_period_only_if_all_its_answers_have_times() -> None:
    mixed = [answer(f"m{n}", "ada", F, minute=30) for n in range(5)] + [answer("m0", "ben", F, minute=3)]
    assert (report(mixed).untimed, report(mixed).periods) == (1, ())


def test_an_answer_changed_at_its_own_time_keeps_it() -> None:
    first, again = answer("k", "ada", F, minute=1), answer("k", "ada", A, minute=2)
    assert timed([first, again]) == [first, again]
