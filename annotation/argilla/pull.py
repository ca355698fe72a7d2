"""What people answered in Argilla → annotations: every status, who, when, under which guidelines. Writes nothing."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from annotation.argilla.api import Api, ArgillaError, Dataset
from annotation.argilla.form import CANNOT_TELL, SKIP_REASONS, version_of
from annotation.argilla.places import adjudication_workspace, labelling_workspaces
from annotation.argilla.plain_text import marked
from annotation.argilla.push import ADJUDICATION_DATASET
from schemas.records import Annotation
from schemas.vocabulary import RefusalLabel

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answers:
    """All answers that Argilla holds, oldest first, who gave them, and how many have lost their account."""

    annotations: tuple[Annotation, ...]
    names: Mapping[str, str]
    nameless: int


def answers(api: Api, base: str, *, by_name: bool = False) -> Answers:
    """Every answer in the workspaces of `base`. People appear under pseudonyms unless `by_name`.

    A pseudonym is a hash of the account's random id: always the same, and telling nothing to who has not the server.
    """
    people = {person.id: person.name if by_name else pseudonym(person.id) for person in api.people()}
    names = {people[person.id]: person.name for person in api.people()}
    found: list[Annotation] = []
    nameless = 0
    for dataset, role in _datasets(api, base):
        version = version_of(dataset.guidelines)
        for record in api.records(dataset.id, responses=True):
            for response in record["responses"]:
                person = people.get(str(response["user_id"]))
                if person is None:
                    nameless += 1
                else:
                    found.append(_annotation(record, response, person, version, role))
    return Answers(tuple(sorted(found, key=lambda answer: answer.at)), names, nameless)


def unrecorded(found: Iterable[Annotation], recorded: Iterable[Annotation]) -> list[Annotation]:
    """The answers that are not on record, oldest first.

    What somebody said of something is new if it is younger than what is on record of them: guidelines that changed
    since do not make it another answer, and what a slower pull brings does not undo what a faster one brought.
    """
    last: dict[tuple[str, str, str], str] = {}
    for annotation in recorded:
        whose = (annotation.response_key, annotation.annotator, annotation.role)
        last[whose] = max(annotation.at, last.get(whose, ""))
    return [a for a in found if a.at > last.get((a.response_key, a.annotator, a.role), "")]


def check_identities(found: Iterable[Annotation], recorded: Iterable[Annotation]) -> None:
    """Raises ArgillaError if one of these answers is on record under another name: its author would count twice."""
    whose = {(a.response_key, a.role, a.at): a.annotator for a in recorded}
    for answer in found:
        before = whose.get((answer.response_key, answer.role, answer.at), answer.annotator)
        if before != answer.annotator:
            raise ArgillaError(
                f"the answers of {answer.annotator} are on record as {before}: pull with --names, or without, as before"
            )


def pseudonym(person: str) -> str:
    """The name an account goes by in the journal."""
    return f"annotator-{hashlib.sha256(person.encode()).hexdigest()[:8]}"


def stamp(moment: datetime) -> str:
    """A time as annotations record it: UTC, to the microsecond, so that texts sort as times do."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def _datasets(api: Api, base: str) -> Iterator[tuple[Dataset, Literal["annotator", "expert"]]]:
    there = api.workspaces()
    for name in labelling_workspaces(base):
        if name in there:
            for dataset in api.datasets(there[name]).values():
                if dataset.ready and dataset.name.startswith("label-"):
                    yield dataset, "annotator"
    adjudication = there.get(adjudication_workspace(base))
    if adjudication is not None:
        expert = api.datasets(adjudication).get(ADJUDICATION_DATASET)
        if expert is not None and expert.ready:
            yield expert, "expert"


def _annotation(
    record: Json, response: Json, person: str, version: str, role: Literal["annotator", "expert"]
) -> Annotation:
    given = {name: answer["value"] for name, answer in (response["values"] or {}).items()}
    label = given.get("label")
    return Annotation(
        response_key=str(record["external_id"]),
        annotator=person,
        status=response["status"],
        label=None if label in (None, CANNOT_TELL) else RefusalLabel(label),
        confidence=given.get("confidence"),
        note=note_of(response["status"], given),
        guidelines_version=version,
        at=stamp(datetime.fromisoformat(response["updated_at"]).replace(tzinfo=UTC)),
        span=_span(record, given),
        role=role,
    )


def note_of(status: str, given: Json) -> str | None:
    """What somebody noted, after the reason for skipping if they skipped."""
    note = str(given.get("note") or "").strip()
    reason = given.get("skip")
    if status == "discarded" and reason in SKIP_REASONS:
        note = f"skipped: {reason}{f'. {note}' if note else ''}"
    return note or None


def _span(record: Json, given: Json) -> str | None:
    spans = sorted(given.get("span") or [], key=lambda span: int(span["start"]))
    text = str(record["fields"].get("response") or "")
    words = [marked(text, int(span["start"]), int(span["end"])) for span in spans]
    return " … ".join(words) or None
