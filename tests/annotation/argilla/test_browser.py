"""Annotating as people do it: a server, two annotators and an expert at its pages, and a build after it."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Browser

from annotation.argilla.pull import pseudonym
from annotation.argilla.push import push
from annotation.items import Item, folded, progress
from builder.annotate_cli import main
from builder.annotate_run import read_run
from builder.cli import main as build_dataset
from builder.journal.store import Journal
from schemas.records import Annotation
from schemas.vocabulary import RefusalLabel
from tests.annotation.argilla.browser import Person, browser
from tests.annotation.argilla.conftest import BUILD, MODELS
from tests.annotation.argilla.flags import flags_for
from tests.annotation.argilla.hostile import hostile_items
from tests.annotation.argilla.people import Study
from tests.annotation.argilla.server import Serving

DATASETS = ("label-2-people", "label-hate-2-people", "label-self-harm-2-people")
SURE = "5"


@dataclass(frozen=True, slots=True)
class Session:
    """A run, its server, and who is who."""

    run: Path
    serving: Serving
    items: dict[str, Item]
    people: dict[str, str]

    def annotate(self, verb: str, *flags: str) -> None:
        """The command, as a coordinator runs it beside the server."""
        assert main([verb, "--run", str(self.run), *flags]) == 0

    def journal(self) -> list[Annotation]:
        """Every annotation on record."""
        with Journal(self.run / "journal.sqlite") as journal:
            return list(journal.annotations())


def truth(item: Item) -> RefusalLabel:
    """What the scripted target did."""
    return RefusalLabel.FULL_REFUSAL if "sorry" in item.response else RefusalLabel.FULL_COMPLIANCE


def milder(label: RefusalLabel) -> RefusalLabel:
    """The partial neighbour of a full label."""
    refused = label is RefusalLabel.FULL_REFUSAL
    return RefusalLabel.PARTIAL_REFUSAL if refused else RefusalLabel.PARTIAL_COMPLIANCE


def mild(item: Item) -> bool:
    """Whether a picture of it may stand in the documentation."""
    return "-L1-" in item.request_id


def label_all(person: Person, session: Session, dataset: str, say: Callable[[Item], RefusalLabel]) -> dict[str, str]:
    """Label a whole dataset, the first two records with the mouse and the rest by keys; key → label."""
    person.open(dataset)
    by_request = {item.request: item for item in session.items.values()}
    said: dict[str, str] = {}
    while person.page.locator(".span-annotation__field").count():
        item = by_request[person.text("request")]
        assert item.key not in said
        assert person.text("response") == item.response
        label = said[item.key] = say(item)
        if len(said) <= 2:
            person.choose("label", label)
            person.choose("confidence", SURE)
            if len(said) == 1:
                person.mark(item.response.split()[0])
            if mild(item):
                person.screenshot("annotate-label")
            person.submit()
        else:
            person.keys(label, SURE)
    person.page.goto(person.serving.url)
    return said


def test_two_people_label_sixty_records_an_expert_decides_and_the_build_goes_on(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Serving(run, ("--annotator", "ada", "--annotator", "ben", "--expert", "eve")) as serving, browser() as opened:
        items = {item.key: item for item in read_run(flags_for(run)).items}
        assert len(items) == 60
        users = serving.client().get("/api/v1/users").json()["items"]
        session = Session(run, serving, items, {u["username"]: pseudonym(u["id"]) for u in users})
        session.annotate("push")
        ada, skipped = ada_labels(opened, session)
        ben = ben_labels(opened, session)
        session.annotate("pull")
        edited = ben_edits(opened, session, ben)
        session.annotate("pull")
        check_answers(session, ada, ben, skipped, edited)
        ben[edited] = milder(truth(items[edited]))
        check_agreement(session, ada, ben, capsys)
        disputed = {key for key in ada if key in ben and ada[key] != ben[key]}
        session.annotate("adjudicate")
        eve_decides(opened, session, disputed)
        session.annotate("pull")
        capsys.readouterr()
        session.annotate("status")
        assert "0 disagreements wait for an expert" in capsys.readouterr().out
    check_build(session, ada, ben)


def ada_labels(opened: Browser, session: Session) -> tuple[dict[str, str], str]:
    """Ada skips the first record of one dataset as distressing and labels all others as they are."""
    person = Person.at(opened, session.serving, "ada")
    person.screenshot("annotate-home")
    person.open(DATASETS[1])
    by_request = {item.request: item for item in session.items.values()}
    skipped = by_request[person.text("request")].key
    person.read_guidelines()
    person.choose("skip", "distressing")
    person.discard()
    person.page.goto(session.serving.url)
    said: dict[str, str] = {}
    for dataset in DATASETS:
        said |= label_all(person, session, dataset, truth)
    check_nothing_left(person)
    return said, skipped


def ben_labels(opened: Browser, session: Session) -> dict[str, str]:
    """Ben sees five of them otherwise."""
    person = Person.at(opened, session.serving, "ben")
    otherwise = set(random.Random(5).sample(sorted(session.items), 5))
    said: dict[str, str] = {}
    for dataset in DATASETS:
        said |= label_all(
            person, session, dataset, lambda item: milder(truth(item)) if item.key in otherwise else truth(item)
        )
    check_nothing_left(person)
    return said


def ben_edits(opened: Browser, session: Session, said: dict[str, str]) -> str:
    """Ben changes his mind about a record that he agreed on; its key."""
    person = Person.at(opened, session.serving, "ben")
    person.open_submitted(DATASETS[2])
    by_request = {item.request: item for item in session.items.values()}
    while said[(item := by_request[person.text("request")]).key] != truth(item):
        person.next_record()
    person.choose("label", milder(truth(item)))
    with person.page.expect_response(lambda answer: answer.request.method == "PUT") as answered:
        person.page.locator(".button--submit").click()
    assert answered.value.ok
    return item.key


def eve_decides(opened: Browser, session: Session, disputed: set[str]) -> None:
    """Eve sees what was said of each disputed record and decides for what it is."""
    person = Person.at(opened, session.serving, "eve")
    person.open("adjudicate")
    by_request = {item.request: item for item in session.items.values()}
    seen: set[str] = set()
    while person.page.locator(".span-annotation__field").count():
        item = by_request[person.text("request")]
        votes = Counter(line.partition(": ")[2].partition(",")[0] for line in person.text("votes").splitlines())
        assert sorted(votes.values()) == [1, 1]
        if mild(item):
            person.screenshot("annotate-expert")
        seen.add(item.key)
        person.keys(truth(item), SURE)
    assert seen == disputed


def check_nothing_left(person: Person) -> None:
    """Whatever the pages asked of other places was stopped in the browser."""
    assert {request.failure for request in person.elsewhere} <= {"csp"}


def check_answers(session: Session, ada: dict[str, str], ben: dict[str, str], skipped: str, edited: str) -> None:
    """Every answer is on record once, with its author and status; the edited one twice."""
    found = session.journal()
    assert len(found) == len(ada) + 1 + len(ben) + 1 == 121
    by_person = {name: [a for a in found if a.annotator == session.people[name]] for name in ("ada", "ben")}
    assert {a.response_key: a.label for a in by_person["ada"] if a.status == "submitted"} == ada
    assert [(a.response_key, a.note) for a in by_person["ada"] if a.status == "discarded"] == [
        (skipped, "skipped: distressing")
    ]
    assert {a.response_key: a.label for a in by_person["ben"][:60]} == ben
    last = by_person["ben"][60]
    assert (last.response_key, last.label) == (edited, milder(truth(session.items[edited])))
    assert {a.confidence for a in found if a.status == "submitted"} == {5}
    spans = {a.response_key: a.span for a in found if a.span is not None}
    assert len(spans) >= 4
    assert all(session.items[key].response.startswith(span) for key, span in spans.items())


def check_agreement(
    session: Session, ada: dict[str, str], ben: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The command prints what paper and pencil give: raw agreement, and AC1 = (pa − pe)/(1 − pe)."""
    pairs = [(ada[key], ben[key]) for key in ada if key in ben]
    assert len(pairs) == 59
    raw = sum(first == second for first, second in pairs) / 59
    assert raw in (53 / 59, 54 / 59)
    # Gwet's shares are means over all 60 records, also over the one that only Ben labelled.
    (alone,) = (ben[key] for key in ben if key not in ada)
    both = [*pairs, (alone, alone)]
    shares = [sum((first == label) + (second == label) for first, second in both) / 120 for label in RefusalLabel]
    chance = sum(share * (1 - share) for share in shares) / 3
    capsys.readouterr()
    session.annotate("agreement")
    (row,) = (line for line in capsys.readouterr().out.splitlines() if line.strip().startswith("everybody"))
    numbers = [word for word in row.replace("(", " ").split() if not word.endswith((")", ","))]
    assert numbers[1:4] == ["59", f"{raw:.3f}", f"{(raw - chance) / (1 - chance):.3f}"]


def check_build(session: Session, ada: dict[str, str], ben: dict[str, str]) -> None:
    """Run again, the build takes the people's labels: those they agree on and those the expert decided."""
    assert build_dataset([*BUILD, *MODELS, "--run", str(session.run)]) == 0
    (file,) = (session.run / "release" / "data" / "labels").glob("*.parquet")
    labels = {row["response_key"]: row for row in pq.read_table(file).to_pylist()}
    names = list(RefusalLabel)
    for key in ada:
        row = labels[key]
        assert row["source"] == "human"
        assert names[row["label"]] == truth(session.items[key])
        assert row["votes"] == (2 if ada[key] == ben[key] else 3)


def test_hostile_text_is_shown_as_text_and_does_nothing(argilla: Serving, tmp_path: Path) -> None:
    study, items = Study(argilla, tmp_path, "hostile-page"), hostile_items()
    wanted = list(items.values())
    with study.api() as api:
        push(api, study.workspace, wanted, progress(wanted, ()), {}, print)
    by_name = {item.request.partition(":")[0]: item for item in wanted}
    with browser() as opened:
        person = Person.at(opened, argilla, "ada")
        person.page.on("dialog", lambda _: pytest.fail("a text opened a dialog"))
        person.page.goto(f"{argilla.url}/dataset/{study.datasets()['/label-2-people']}/annotation-mode")
        seen = set()
        for _ in wanted:
            person.page.locator(".span-annotation__field").wait_for()
            name = person.text("request").partition(":")[0]
            seen.add(name)
            item = by_name[name]
            assert person.text("response") == shown(folded(item.response)), name
            if len(item.response) > 10_000:
                assert person.text("whole") == shown(item.response)
            assert person.page.evaluate("window.pwned") is None
            if len(seen) < len(wanted):
                person.next_record()
        assert seen == set(by_name)
        check_nothing_left(person)


def shown(text: str) -> str:
    """What a page can show of a text: NUL has no place in HTML, half a character has none in JSON."""
    return text.replace("\0", "").replace("\ud83d", "\ufffd")
