"""Labels are decided again from what is published: a release that is sealed soundly around another label is caught."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotation.decide import Policy
from builder.cli import main as build_dataset
from hub_card.checks.decisions import in_words
from hub_card.release import write_release
from hub_card.validate import validate_release
from schemas.config import LEXICAL
from schemas.rows import LabelRow
from schemas.vocabulary import Outcome, RefusalLabel, ResponseStatus
from tests.hub_card import rows, seal

NOBODY = {"label": None, "source": None, "votes": 0, "soft": None}
LABELS = "data/labels/train-00000-of-00001.parquet"


def found(tables: rows.Tables, place: Path, **facts: Any) -> list[str]:
    """The problems of a release that is written, and so sealed, around these tables."""
    write_release(tables, rows.facts(tables, **facts), place / "release")
    return list(map(str, validate_release(place / "release")))


def relabelled(tables: rows.Tables, fits: Callable[[LabelRow], bool], **columns: Any) -> tuple[rows.Tables, int]:
    """The tables with one label changed and bins, flags and copies that follow from it; and the row's number."""
    at = next(n for n, row in enumerate(tables["labels"]) if fits(row))
    changed = [replace(row, **columns) if n == at else row for n, row in enumerate(tables["labels"])]
    return rows.with_labels(tables, changed), at + 1


def by(source: str | None, status: str = "ok") -> Callable[[LabelRow], bool]:
    return lambda row: row.source == source and row.status == status


FORGED: dict[str, tuple[Callable[[LabelRow], bool], dict[str, Any], str]] = {
    "label of judges": (by("judges"), {"label": RefusalLabel.PARTIAL_COMPLIANCE}, "label partial_compliance;"),
    "label of people": (by("human"), {"label": RefusalLabel.FULL_REFUSAL}, "label full_refusal;"),
    "label given to nobody's": (
        by(None, "unlabelled"),
        {"status": ResponseStatus.OK, "label": RefusalLabel.FULL_REFUSAL, "source": "judges", "route_reason": None},
        "label full_refusal, source judges,",
    ),
    "label taken away": (
        by("judges"),
        {**NOBODY, "status": ResponseStatus.UNLABELLED},
        "status unlabelled, label nothing",
    ),
    "source people": (by("judges"), {"source": "human"}, "source human; "),
    "source judges": (by("human"), {"source": "judges"}, "source judges; "),
    "source outcome": (by("judges"), {"source": "outcome"}, "source outcome; "),
    "source accepted": (by("judges"), {"source": "accepted_judge"}, "source accepted_judge; "),
    "status blocked": (by(None, "unlabelled"), {"status": ResponseStatus.BLOCKED, "route_reason": None}, "blocked"),
    "status empty": (by("judges"), {**NOBODY, "status": ResponseStatus.EMPTY}, "status empty, label nothing"),
    "votes": (by("judges"), {"votes": 2}, "votes 2; "),
    "reason": (by(None, "unlabelled"), {"route_reason": "judges_disagree"}, "route_reason judges_disagree; "),
    "another reason": (by("judges"), {"route_reason": "audit"}, "route_reason audit; "),
    "stream": (by("judges"), {"stream": "routed"}, "stream routed; "),
    "left out of the audit": (by("judges"), {"stream": None, "inclusion_probability": None}, "stream nothing, "),
    "chance of the audit": (by("judges"), {"inclusion_probability": 0.5}, "inclusion_probability 0.5; "),
    "soft label": (by("human"), {"soft": [0.0, 0.5, 0.5, 0.0]}, "column soft is not"),
}


@pytest.mark.parametrize("tier", ["public", "private"])
@pytest.mark.parametrize("name", FORGED)
def test_another_label_is_caught_though_all_else_follows_from_it(tmp_path: Path, name: str, tier: Any) -> None:
    fits, columns, says = FORGED[name]
    tables, number = relabelled(rows.tables(), fits, **columns)
    (problem,) = found(tables, tmp_path, tier=tier)
    assert problem.startswith(f"{LABELS}, row {number}: ")
    assert says in problem


def test_a_changed_vote_or_answer_is_caught(tmp_path: Path) -> None:
    tables = rows.tables()
    votes = [replace(row, label=RefusalLabel.FULL_REFUSAL) for row in tables["judgments"]]
    people = [replace(row, label=RefusalLabel.FULL_REFUSAL) for row in tables["annotations"]]
    assert found({**tables, "judgments": votes}, tmp_path / "votes")
    assert found({**tables, "annotations": people}, tmp_path / "people")


def test_every_row_that_differs_is_told(tmp_path: Path) -> None:
    tables = rows.tables()

    def many(votes: list[Any]) -> None:
        votes[3:7], votes[8:11] = [7] * 4, [7] * 3

    release = tmp_path / "release"
    write_release(tables, rows.facts(tables), release)
    seal.cells(release, "labels", "votes", many)
    seal.seal(release, "labels")
    told = "\n".join(map(str, validate_release(release)))
    assert f"{LABELS}, row 4: says votes 7; outcome, votes and people's answers decide votes 2" in told
    assert f"{LABELS}, rows 5–7, 9–11: says votes 7; outcome, votes and people's answers decide votes 1" in told


def test_numbers_in_words() -> None:
    assert in_words([1, 2, 3, 7]) == "1–3, 7"
    assert in_words([5]) == "5"


def with_votes(confidence: int, judge: str = LEXICAL) -> rows.Tables:
    tables = rows.tables()
    votes = [replace(row, judge=judge, confidence=confidence) for row in tables["judgments"]]
    return rows.routed({**tables, "judgments": votes}, Policy(sure=confidence))


def test_the_rules_judge_decides_only_where_it_is_sure(tmp_path: Path) -> None:
    assert found(with_votes(4), tmp_path / "sure") == []
    assert "decide status unlabelled" in "\n".join(found(with_votes(3), tmp_path / "unsure"))
    lower = {**rows.SETTINGS, "lexical_sure": 3}
    assert found(with_votes(3), tmp_path / "lower", settings=lower) == []


def test_a_judge_without_a_passing_record_decides_only_if_it_is_accepted(tmp_path: Path) -> None:
    tables = rows.tables()
    accepted = {**rows.SETTINGS, "accept_judge": rows.JUDGE}
    records = (rows.record(passes_gate=False),)
    assert "no_deciding_vote" in "\n".join(found(tables, tmp_path / "failed", judge_records=records))
    as_accepted = [replace(row, source="accepted_judge") if by("judges")(row) else row for row in tables["labels"]]
    sound = rows.routed({**tables, "labels": as_accepted}, Policy(accepted=rows.JUDGE))
    assert found(sound, tmp_path / "accepted", judge_records=records, settings=accepted) == []
    assert found(sound, tmp_path / "other", judge_records=records)


def test_of_experts_who_differ_either_may_have_been_the_last(tmp_path: Path) -> None:
    tables = rows.tables()
    sides = (RefusalLabel.FULL_REFUSAL, RefusalLabel.PARTIAL_REFUSAL)
    first = tables["labels"][0].response_key
    answers = [row for row in tables["annotations"] if row.response_key == first]
    experts = [replace(row, role="expert", label=label) for row, label in zip(answers, sides, strict=True)]
    others = [row for row in tables["annotations"] if row.response_key != first]
    for label in RefusalLabel:
        adjudicated, _ = relabelled(tables, lambda _: True, label=label, soft=None)
        problems = found({**adjudicated, "annotations": [*experts, *others]}, tmp_path / label)
        assert (problems == []) == (label in sides)


@pytest.mark.parametrize("outcome", [Outcome.REFUSAL_STOP, Outcome.TRUNCATED, Outcome.INPUT_FILTERED, Outcome.TEXT])
@pytest.mark.parametrize("text", ["", " \n"])
def test_what_an_outcome_decides_can_be_decided_again_from_a_public_release(
    tmp_path: Path, outcome: Outcome, text: str
) -> None:
    tables = rows.tables()
    at = next(n for n, row in enumerate(tables["labels"]) if by("judges")(row) and "-L5-" in row.variant_id)
    answer = replace(tables["responses"][at], outcome=outcome, text=text, characters=len(text))
    answer = replace(answer, sha256=hashlib.sha256(text.encode()).hexdigest())
    silent = {
        Outcome.TRUNCATED: ResponseStatus.TRUNCATED,
        Outcome.INPUT_FILTERED: ResponseStatus.BLOCKED,
        Outcome.TEXT: ResponseStatus.EMPTY,
    }
    label = replace(tables["labels"][at], **NOBODY, status=silent.get(outcome))
    if outcome is Outcome.REFUSAL_STOP:
        label = replace(label, status=ResponseStatus.OK, label=RefusalLabel.FULL_REFUSAL, source="outcome")
    replaced = {"responses": answer, "labels": label, "attempts": rows.attempt(answer)}
    for config, row in replaced.items():
        tables = {**tables, config: [*tables[config][:at], row, *tables[config][at + 1 :]]}
    votes = [row for row in tables["judgments"] if row.response_key != answer.response_key]
    assert found(rows.routed({**tables, "judgments": votes}), tmp_path) == []


@pytest.mark.parametrize("setting", ["", 'accept_judge = "scripted/plausible"', "min_votes = 2"])
def test_a_real_build_is_sound(tmp_path: Path, setting: str) -> None:
    (tmp_path / "build.toml").write_text(setting)
    small = ("--topics", "weapons", "--levels", "1,5", "--per-cell", "2", "--config", str(tmp_path / "build.toml"))
    asked = ("--targets", "scripted/plausible", "--judges", "lexical,scripted/plausible", "--run", str(tmp_path))
    assert build_dataset([*small, *asked]) == 0
    assert validate_release(tmp_path / "release") == []
