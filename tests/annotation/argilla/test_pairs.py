"""Paraphrases to a real Argilla, what people say of them back, and what the next build makes of it."""

import json
from pathlib import Path

import pytest

from annotation.argilla.plain_text import original
from annotation.argilla.pull import pseudonym
from annotation.codebook import codebook_version
from builder.annotate_run import read_pairs
from builder.cli import main as build_dataset
from builder.journal.store import Journal
from schemas.key import digest
from schemas.records import ParaphraseCheck
from tests.annotation.argilla.conftest import BUILD, MODELS
from tests.annotation.argilla.flags import flags_for
from tests.annotation.argilla.people import Study
from tests.annotation.argilla.server import Serving

YES = {"same_intent": "yes", "same_level": "yes", "kind_fits": "yes"}
PAIRS = ("--what", "paraphrases")


@pytest.fixture
def study(argilla: Serving, run: Path, request: pytest.FixtureRequest) -> Study:
    """The run, in a workspace named after the test."""
    return Study(argilla, run, f"s{digest(request.node.name)[:12]}")


def on_record(study: Study) -> list[ParaphraseCheck]:
    """Every check in the journal."""
    with Journal(study.run / "journal.sqlite") as journal:
        return list(journal.paraphrase_checks())


def test_every_paraphrase_is_one_record_blind_and_in_the_workspace_of_its_topic(
    study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    assert study.annotate("push", *PAIRS) == 0
    assert study.annotate("push", *PAIRS) == 0
    assert "0 records new, 0 changed, 40 as they were" in capsys.readouterr().out
    datasets = study.datasets()
    assert set(datasets) == {"/paraphrases", "-hate/paraphrases", "-self-harm/paraphrases"}
    pairs = {pair.key: pair for pair in read_pairs(flags_for(study.run)).pairs}
    seen = [record for dataset in datasets.values() for record in study.seen_by("ada", dataset)]
    assert sorted(record["external_id"] for record in seen) == sorted(pairs)
    for record in seen:
        pair = pairs[record["external_id"]]
        shown = {name: original(text) for name, text in record["fields"].items()}
        assert (shown["base"], shown["paraphrase"]) == (pair.base, pair.text)
        assert shown["kind"].startswith(f"{pair.kind}: ")
        assert record["metadata"] == {}
        assert not any(word in json.dumps(record) for word in ("-L1-", "-L3-", "scripted"))


def test_a_draw_is_some_of_them_and_a_larger_one_adds(study: Study, capsys: pytest.CaptureFixture[str]) -> None:
    assert study.annotate("push", *PAIRS, "--draw", "5") == 0
    assert study.annotate("push", *PAIRS, "--draw", "8", "--opt-out", "ben=hate") == 0
    assert "3 records new, 0 changed, 5 as they were" in capsys.readouterr().out
    assert sum(len(study.seen_by("ada", dataset)) for dataset in study.datasets().values()) == 8


def test_what_people_say_comes_back_and_the_next_build_reports_it(
    study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    study.annotate("push", *PAIRS)
    dataset = study.datasets()["/paraphrases"]
    first, second, third, fourth, *_ = study.seen_by("ada", dataset)
    given = study.answer("ada", first, **YES | {"same_level": "no", "note": "harsher"})
    study.answer("ada", second, **YES)
    study.answer("ada", third, "discarded", skip="distressing")
    study.answer("ada", fourth, **dict.fromkeys(YES, "cannot_tell"))
    ben = {record["id"]: record for record in study.seen_by("ben", dataset)}
    study.answer("ben", ben[first["id"]], **YES | {"same_intent": "no"})
    study.answer("ben", ben[second["id"]], **YES | {"kind_fits": "no"})
    checked = "2 of 40 paraphrases checked by people (2): 1 accepted, 1 rejected"
    capsys.readouterr()
    assert study.annotate("status") == 0
    assert checked in capsys.readouterr().out
    assert study.annotate("pull") == 0
    said = capsys.readouterr().out
    assert "6 new answers about paraphrases" in said
    assert checked in said
    assert study.annotate("status", "--names") == 0
    assert checked in capsys.readouterr().out
    with study.api() as api:
        ada = next(pseudonym(person.id) for person in api.people() if person.name == "ada")
    (found,) = [c for c in on_record(study) if c.pair_key == first["external_id"] and c.annotator == ada]
    assert (found.same_intent, found.same_level, found.kind_fits, found.note) == (True, False, True, "harsher")
    assert (found.status, found.at) == ("submitted", f"{given['updated_at']}Z")
    assert found.guidelines_version == codebook_version()
    skipped = next(check for check in on_record(study) if check.pair_key == third["external_id"])
    assert (skipped.status, skipped.note) == ("discarded", "skipped: distressing")
    assert study.annotate("pull") == 0
    assert len(on_record(study)) == 6
    assert study.annotate("pull", "--names") == 1
    rejected = next(p for p in read_pairs(flags_for(study.run)).pairs if p.key == first["external_id"]).variant_id
    capsys.readouterr()
    assert build_dataset([*BUILD, *MODELS, "--run", str(study.run)]) == 0
    told = capsys.readouterr().out
    assert f"people: {checked}" in told
    assert f"rejected, to be rewritten: {rejected}" in told
    report = json.loads((study.run / "release" / "report" / "corpus_report.json").read_text())["paraphrases"]["people"]
    assert (report["checked"], report["rejected"], report["agreement"]["value"]) == (2, [rejected], 1.0)
    assert "1 accepted, 1 rejected" in (study.run / "release" / "report" / "corpus_report.html").read_text()


def test_an_answer_that_was_changed_is_a_second_fact_and_the_last_one_counts(study: Study) -> None:
    study.annotate("push", *PAIRS, "--draw", "12")
    name = next(iter(study.datasets()))
    record = study.seen_by("ada", study.datasets()[name])[0]
    study.answer("ada", record, **YES)
    study.annotate("pull")
    again = next(r for r in study.seen_by("ada", study.datasets()[name]) if r["id"] == record["id"])
    study.answer("ada", again, **YES | {"same_intent": "no"})
    study.annotate("pull")
    assert [check.same_intent for check in on_record(study)] == [True, False]
