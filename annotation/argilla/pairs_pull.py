"""What people said of paraphrases in Argilla → checks: every status, who, when, under which guidelines."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from annotation.argilla.api import Api, ArgillaError, Dataset
from annotation.argilla.form import version_of
from annotation.argilla.pairs_form import DATASET, NO, QUESTIONS, YES
from annotation.argilla.places import labelling_workspaces
from annotation.argilla.pull import note_of, pseudonym, stamp
from schemas.records import ParaphraseCheck

Json = dict[str, Any]
WORDS = {YES: True, NO: False}


class Checks(NamedTuple):
    """All answers about paraphrases that Argilla holds, oldest first, and how many have lost their account."""

    checks: tuple[ParaphraseCheck, ...]
    nameless: int


def pair_answers(api: Api, base: str, *, by_name: bool = False) -> Checks:
    """Every answer about a paraphrase in the workspaces of `base`; people appear as `answers` shows them."""
    people = {person.id: person.name if by_name else pseudonym(person.id) for person in api.people()}
    found: list[ParaphraseCheck] = []
    nameless = 0
    for dataset in _datasets(api, base):
        version = version_of(dataset.guidelines)
        for record in api.records(dataset.id, responses=True):
            for response in record["responses"]:
                person = people.get(str(response["user_id"]))
                if person is None:
                    nameless += 1
                else:
                    found.append(_check(record, response, person, version))
    return Checks(tuple(sorted(found, key=lambda check: check.at)), nameless)


def unrecorded_checks(found: Iterable[ParaphraseCheck], recorded: Iterable[ParaphraseCheck]) -> list[ParaphraseCheck]:
    """The answers that are younger than what is on record of the same person about the same pair, oldest first.

    Raises ArgillaError if one of them is on record under another name: its author would count twice.
    """
    last: dict[tuple[str, str], str] = {}
    whose: dict[tuple[str, str], str] = {}
    for check in recorded:
        last[check.pair_key, check.annotator] = max(check.at, last.get((check.pair_key, check.annotator), ""))
        whose[check.pair_key, check.at] = check.annotator
    new = []
    for check in found:
        before = whose.get((check.pair_key, check.at), check.annotator)
        if before != check.annotator:
            raise ArgillaError(
                f"the answers of {check.annotator} are on record as {before}: pull with --names, or without, as before"
            )
        if check.at > last.get((check.pair_key, check.annotator), ""):
            new.append(check)
    return new


def _datasets(api: Api, base: str) -> Iterator[Dataset]:
    there = api.workspaces()
    for name in labelling_workspaces(base):
        if name in there:
            dataset = api.datasets(there[name]).get(DATASET)
            if dataset is not None and dataset.ready:
                yield dataset


def _check(record: Json, response: Json, person: str, version: str) -> ParaphraseCheck:
    given = {name: answer["value"] for name, answer in (response["values"] or {}).items()}
    same_intent, same_level, kind_fits = (WORDS.get(given.get(name, "")) for name in QUESTIONS)
    return ParaphraseCheck(
        pair_key=str(record["external_id"]),
        annotator=person,
        status=response["status"],
        same_intent=same_intent,
        same_level=same_level,
        kind_fits=kind_fits,
        note=note_of(response["status"], given),
        guidelines_version=version,
        at=stamp(datetime.fromisoformat(response["updated_at"]).replace(tzinfo=UTC)),
    )
