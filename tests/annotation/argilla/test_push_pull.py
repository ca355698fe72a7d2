"""Records to a real Argilla and answers back from it."""

import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from annotation.argilla.plain_text import original
from annotation.argilla.pull import pseudonym
from annotation.argilla.push import push
from annotation.codebook import codebook_version
from annotation.items import Item, progress
from builder.annotate_cli import main
from builder.annotate_run import read_run
from schemas.key import digest
from schemas.vocabulary import RefusalLabel, Topic
from tests.annotation.argilla.flags import flags_for
from tests.annotation.argilla.people import Study
from tests.annotation.argilla.server import Serving, free_port

PLACES = {
    Topic.HATE: "-hate/label-hate-2-people",
    Topic.SELF_HARM: "-self-harm/label-self-harm-2-people",
}


@pytest.fixture
def study(argilla: Serving, run: Path, request: pytest.FixtureRequest) -> Study:
    """The run, in a workspace named after the test."""
    return Study(argilla, run, f"s{digest(request.node.name)[:12]}")


def test_every_item_is_one_record_blind_and_in_the_workspace_of_its_topic(study: Study) -> None:
    assert study.annotate("push") == 0
    datasets = study.datasets()
    assert set(datasets) == {"/label-2-people", *PLACES.values()}
    items = {item.key: item for item in read_run(flags_for(study.run)).items}
    seen = {name: study.seen_by("ada", dataset) for name, dataset in datasets.items()}
    assert sorted(r["external_id"] for records in seen.values() for r in records) == sorted(items)
    for name, records in seen.items():
        for record in records:
            item = items[record["external_id"]]
            assert name == PLACES.get(item.topic, "/label-2-people")
            assert original(record["fields"]["request"]) == item.request
            assert original(record["fields"]["response"]) == item.response
            assert set(record["fields"]) <= {"request", "response", "context"}
            assert record["suggestions"] == []
            assert record["metadata"] == {}
            shown = json.dumps(record).lower()
            assert not any(word in shown for word in ("scripted", "lexical", "judge", "audit", "level", *RefusalLabel))


def test_pushed_again_nothing_is_doubled_and_nothing_sent(study: Study, capsys: pytest.CaptureFixture[str]) -> None:
    study.annotate("push")
    capsys.readouterr()
    assert study.annotate("push") == 0
    assert "0 records new, 0 changed, 60 as they were" in capsys.readouterr().out
    assert sum(len(study.seen_by("ada", dataset)) for dataset in study.datasets().values()) == 60


def test_who_declines_a_topic_never_sees_it(study: Study) -> None:
    assert study.annotate("push", "--opt-out", "ben=hate") == 0
    hate = study.datasets()[PLACES[Topic.HATE]]
    client = study.serving.client("ben")
    assert client.post(f"/api/v1/me/datasets/{hate}/records/search", json={}).status_code == 403
    assert len(study.seen_by("ada", hate)) == 15
    assert len(study.seen_by("ben", study.datasets()[PLACES[Topic.SELF_HARM]])) == 15
    assert study.annotate("push") == 0  # it is remembered
    assert client.post(f"/api/v1/me/datasets/{hate}/records/search", json={}).status_code == 403
    assert study.annotate("push", "--opt-out", "ben=") == 0
    assert len(study.seen_by("ben", hate)) == 15


def test_suggestions_are_shown_only_when_asked_for_and_never_mixed(
    study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    assert study.annotate("push", "--show-suggestions") == 0
    records = study.seen_by("ada", study.datasets()["/label-2-people-assisted"])
    items = {item.key: item for item in read_run(flags_for(study.run)).items}
    for record in records:
        wanted = items[record["external_id"]].suggestion
        assert [s["value"] for s in record["suggestions"]] == ([] if wanted is None else [wanted])
    assert study.annotate("push") == 1
    assert "not mixed" in capsys.readouterr().err
    study.answer("ada", records[0], label="cannot_tell", confidence=1)
    study.annotate("pull")
    assert study.journal()[0].guidelines_version == f"{codebook_version()} with suggestions"


def test_every_kind_of_answer_comes_back_with_who_when_and_what(study: Study) -> None:
    study.annotate("push")
    dataset = study.datasets()["/label-2-people"]
    one, two, three, four, *_ = study.seen_by("ada", dataset)
    span = [{"label": "decides", "start": 2, "end": 9}]
    given = study.answer("ada", one, label="full_refusal", confidence=4, note="short", span=span)
    study.answer("ada", two, "discarded", skip="distressing")
    study.answer("ada", three, "draft", label="partial_refusal")
    study.answer("ada", four, label="cannot_tell", confidence=2)
    ben = next(r for r in study.seen_by("ben", dataset) if r["id"] == one["id"])
    study.answer("ben", ben, label="partial_refusal", confidence=5)
    assert study.annotate("pull") == 0
    with study.api() as api:
        ada, ben_id = (next(p.id for p in api.people() if p.name == name) for name in ("ada", "ben"))
    found = {(a.response_key, a.annotator): a for a in study.journal()}
    assert len(found) == 5
    first = found[one["external_id"], pseudonym(ada)]
    assert (first.status, first.label, first.confidence, first.note) == (
        "submitted",
        RefusalLabel.FULL_REFUSAL,
        4,
        "short",
    )
    assert first.span == original(one["fields"]["response"])[2:9]
    assert first.at == f"{given['updated_at']}Z"
    assert (first.guidelines_version, first.role) == (codebook_version(), "annotator")
    skipped = found[two["external_id"], pseudonym(ada)]
    assert (skipped.status, skipped.label, skipped.note) == ("discarded", None, "skipped: distressing")
    assert found[three["external_id"], pseudonym(ada)].status == "draft"
    unsure = found[four["external_id"], pseudonym(ada)]
    assert (unsure.status, unsure.label) == ("submitted", None)
    assert found[one["external_id"], pseudonym(ben_id)].label is RefusalLabel.PARTIAL_REFUSAL


def test_an_edited_answer_is_a_new_fact_and_nothing_is_pulled_twice(study: Study) -> None:
    study.annotate("push")
    dataset = study.datasets()["/label-2-people"]
    record = study.seen_by("ada", dataset)[0]
    study.answer("ada", record, label="full_refusal", confidence=4)
    study.annotate("pull")
    study.annotate("pull")
    assert [a.label for a in study.journal()] == [RefusalLabel.FULL_REFUSAL]
    study.answer("ada", study.seen_by("ada", dataset)[0], label="full_compliance", confidence=5)
    pulls = [threading.Thread(target=study.annotate, args=("pull",)) for _ in range(2)]
    for pull in pulls:
        pull.start()
    for pull in pulls:
        pull.join()
    assert [a.label for a in study.journal()] == [RefusalLabel.FULL_REFUSAL, RefusalLabel.FULL_COMPLIANCE]


def test_names_are_recorded_when_asked_for_and_nobody_counts_twice(
    study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    study.annotate("push")
    record = study.seen_by("ada", study.datasets()["/label-2-people"])[0]
    study.answer("ada", record, label="full_refusal", confidence=4)
    assert study.annotate("pull", "--names") == 0
    assert [a.annotator for a in study.journal()] == ["ada"]
    assert study.annotate("pull") == 1
    assert "pull with --names, or without, as before" in capsys.readouterr().err


def test_disagreements_go_to_the_expert_and_the_expert_decides(
    study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    study.annotate("push")
    dataset = study.datasets()["/label-2-people"]
    agreed, disputed, *_ = sorted(study.seen_by("ada", dataset), key=lambda record: str(record["external_id"]))
    for name, second in (("ada", "full_refusal"), ("ben", "full_compliance")):
        for record, label in ((agreed, "full_refusal"), (disputed, second)):
            own = next(r for r in study.seen_by(name, dataset) if r["id"] == record["id"])
            study.answer(name, own, label=label, confidence=3, note=f"note of {name}")
    study.annotate("pull")
    assert "people disagree on 1 responses" in capsys.readouterr().out
    assert study.annotate("adjudicate") == 0
    before = study.seen_by("eve", study.datasets()["-adjudication/adjudicate"])
    assert [record["external_id"] for record in before] == [disputed["external_id"]]
    votes = original(before[0]["fields"]["votes"])
    assert {line.partition(": ")[2] for line in votes.splitlines()} == {
        "Full refusal, sure 3 of 5. note of ada",
        "Full compliance, sure 3 of 5. note of ben",
    }
    assert study.serving.client("ada").get("/api/v1/me/datasets").text.count('"adjudicate"') == 0
    study.answer("eve", before[0], label="partial_refusal", confidence=5)
    study.annotate("pull")
    assert [a.role for a in study.journal()].count("expert") == 1
    capsys.readouterr()
    assert study.annotate("status") == 0
    out = capsys.readouterr().out
    assert "0 disagreements wait for an expert" in out
    assert "116 labels wanted" in out


def test_each_reason_has_its_number_of_people_and_an_item_stays_where_it_is(study: Study) -> None:
    items = [
        Item(digest(reason), "r", Topic.FRAUD, "ask", "answer", None, reason, "routed")
        for reason in ("low_confidence", "no_deciding_vote", "judges_disagree")
    ]
    with study.api() as api:
        push(api, study.workspace, items, progress(items, ()), {}, print)
        moved = [replace(item, reason="low_confidence") for item in items]
        assert push(api, study.workspace, moved, progress(moved, ()), {}, print).changed == 2
        (workspace,) = (identity for name, identity in api.workspaces().items() if name == study.workspace)
        datasets = api.datasets(workspace)
        assert {name: dataset.min_submitted for name, dataset in datasets.items()} == {
            "label-1-person": 1,
            "label-2-people": 2,
            "label-3-people": 3,
        }
        assert [len(list(api.records(dataset.id))) for dataset in datasets.values()] == [1, 1, 1]


def test_an_argilla_that_cannot_be_used_is_said_in_words(
    study: Study, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["push", "--run", str(study.run)]) == 1
    assert "no server ever ran in" in capsys.readouterr().err
    annotator = study.serving.client("ada").get("/api/v1/me").json()["api_key"]
    for url, key, words in (
        (study.serving.url, "wrong", "does not know this API key"),
        (study.serving.url, annotator, "that of ada (annotator): give an owner's key"),
        (f"http://127.0.0.1:{free_port()}", "any", "no Argilla answers at"),
        (f"{study.serving.url}/nowhere", "any", "is no Argilla"),
    ):
        monkeypatch.setenv("ARGILLA_API_URL", url)
        monkeypatch.setenv("ARGILLA_API_KEY", key)
        assert main(["status", "--run", str(study.run)]) == 1
        assert words in capsys.readouterr().err
    monkeypatch.delenv("ARGILLA_API_URL")
    assert main(["pull", "--run", str(study.run)]) == 1
    assert "set both ARGILLA_API_URL and ARGILLA_API_KEY, or neither" in capsys.readouterr().err
