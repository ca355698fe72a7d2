"""Items → records in Argilla, upserted by response key: repeated or interrupted it makes no duplicate."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from annotation.argilla import form
from annotation.argilla.api import Api, ArgillaError, Dataset
from annotation.argilla.membership import ensured_workspace, let_in
from annotation.argilla.places import (
    adjudication_workspace,
    labelling_dataset,
    labelling_workspaces,
    workspace_of,
)
from annotation.argilla.record import record_of
from annotation.items import Item, Progress, State
from schemas.vocabulary import Topic

Json = dict[str, Any]
Say = Callable[[str], None]
ADJUDICATION_DATASET = "adjudicate"
OPEN = (State.PENDING, State.PARTIAL)


@dataclass(slots=True)
class Pushed:
    """Records by what became of them, and who is to label what."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    people: dict[str, list[str]] = field(default_factory=dict)


class _Place(NamedTuple):
    workspace: str
    dataset: str
    overlap: int


class _Found(NamedTuple):
    place: _Place
    record: Json


@dataclass(frozen=True, slots=True)
class _Form:
    expert: bool
    assisted: bool

    @property
    def guidelines(self) -> str:
        return form.guidelines(expert=self.expert, version=form.current_version(assisted=self.assisted))


def push(
    api: Api,
    base: str,
    items: Sequence[Item],
    done: Mapping[str, Progress],
    declined: Mapping[str, Iterable[Topic]],
    say: Say,
    *,
    assisted: bool = False,
) -> Pushed:
    """Bring every open item, and every one that is there already, into its dataset; let people in where they work.

    With `assisted` the machine's label is shown as a suggestion. Raises ArgillaError if this run was pushed the other
    way before: blind and assisted answers are not mixed.
    """
    pushed, how = Pushed(), _Form(expert=False, assisted=assisted)
    workspaces = {name: ensured_workspace(api, name) for name in labelling_workspaces(base)}
    pushed.people = let_in(api, base, workspaces, declined)
    there = _there(api, workspaces, assisted=assisted)
    groups: dict[_Place, list[Item]] = defaultdict(list)
    for item in items:
        if item.key in there:
            groups[there[item.key].place].append(item)
        elif done[item.key].state in OPEN:
            name = labelling_dataset(item.topic, item.overlap, assisted=assisted)
            groups[_Place(workspace_of(base, item.topic), name, item.overlap)].append(item)
    known = {key: found.record for key, found in there.items()}
    for place, group in groups.items():
        dataset = _ready(api, workspaces[place.workspace], place.dataset, place.overlap, how)
        question = api.question_ids(dataset)["label"] if assisted else None
        records = [record_of(item, suggest_for=question) for item in group]
        upsert(api, dataset, changed(records, known, pushed), f"{place.workspace}/{place.dataset}", say)
    return pushed


def push_disagreements(api: Api, base: str, items: Sequence[Item], done: Mapping[str, Progress], say: Say) -> Pushed:
    """Bring the items on which people disagree, with their votes, before the experts."""
    pushed = Pushed()
    workspace = ensured_workspace(api, adjudication_workspace(base))
    pushed.people = {"experts": [person.name for person in api.members(workspace) if person.role == "annotator"]}
    disputed = [item for item in items if done[item.key].state is State.DISAGREEMENT]
    if disputed:
        dataset = _ready(api, workspace, ADJUDICATION_DATASET, 1, _Form(expert=True, assisted=False))
        records = [record_of(item, votes=done[item.key].answers) for item in disputed]
        known = {str(record["external_id"]): record for record in api.records(dataset)}
        upsert(api, dataset, changed(records, known, pushed), ADJUDICATION_DATASET, say)
    return pushed


def _there(api: Api, workspaces: Mapping[str, str], *, assisted: bool) -> dict[str, _Found]:
    """What Argilla holds already, by key. An item stays where it is, whatever overlap it would get now."""
    there = {}
    for workspace, identity in workspaces.items():
        for name, dataset in api.datasets(identity).items():
            if not name.startswith("label-") or not dataset.ready:
                continue
            if name.endswith("-assisted") != assisted:
                raise ArgillaError(
                    f"{workspace}/{name} is there already: this run was pushed {'blind' if assisted else 'assisted'}, "
                    "and answers given with and without suggestions are not mixed. Give another --workspace"
                )
            place = _Place(workspace, name, dataset.min_submitted)
            there.update({str(record["external_id"]): _Found(place, record) for record in api.records(dataset.id)})
    return there


def _ready(api: Api, workspace: str, name: str, overlap: int, how: _Form) -> str:
    found = api.datasets(workspace).get(name)
    if found is not None and not found.ready:
        # A push that was killed between making the dataset and publishing it; nothing can be in it.
        api.delete_dataset(found.id)
        found = None
    if found is None:
        return _made(api, workspace, name, overlap, how)
    _refresh(api, found, how)
    return found.id


def _made(api: Api, workspace: str, name: str, overlap: int, how: _Form) -> str:
    body = {
        "name": name,
        "workspace_id": workspace,
        "guidelines": how.guidelines,
        "distribution": {"strategy": "overlap", "min_submitted": overlap},
    }
    return api.make_dataset(body, form.fields(expert=how.expert), form.questions(), form.metadata())


def _refresh(api: Api, dataset: Dataset, how: _Form) -> None:
    if dataset.guidelines != how.guidelines:
        api.change_guidelines(dataset.id, how.guidelines)


def changed(records: Iterable[Json], known: Mapping[str, Json], pushed: Pushed) -> list[Json]:
    """The records that are not among the known ones as they are; counts all of them in `pushed`."""
    wanted = []
    for record in records:
        before = known.get(record["external_id"])
        if before is not None and all(before[part] == record[part] for part in ("fields", "metadata")):
            pushed.unchanged += 1
            continue
        pushed.new += before is None
        pushed.changed += before is not None
        wanted.append(record)
    return wanted


def upsert(api: Api, dataset: str, records: Sequence[Json], name: str, say: Say) -> None:
    """Send records, saying how far it is."""
    for done in api.upsert(dataset, records):
        say(f"{name}: {done} of {len(records)} records")
