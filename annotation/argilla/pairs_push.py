"""Paraphrases → records in Argilla, upserted by pair: repeated or interrupted it makes no duplicate."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from annotation.argilla import pairs_form
from annotation.argilla.api import Api
from annotation.argilla.membership import ensured_workspace, let_in
from annotation.argilla.places import labelling_workspaces, workspace_of
from annotation.argilla.push import Pushed, Say, changed, upsert
from annotation.pairs import Pair
from schemas.vocabulary import Topic


def push_pairs(api: Api, base: str, pairs: Sequence[Pair], declined: Mapping[str, Iterable[Topic]], say: Say) -> Pushed:
    """Bring the pairs into the dataset of their workspace, and let people in where they work."""
    pushed = Pushed()
    workspaces = {name: ensured_workspace(api, name) for name in labelling_workspaces(base)}
    pushed.people = let_in(api, base, workspaces, declined)
    groups: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        groups[workspace_of(base, pair.topic)].append(pair)
    for name, group in groups.items():
        dataset = _ready(api, workspaces[name])
        known = {str(record["external_id"]): record for record in api.records(dataset)}
        records = changed(map(pairs_form.record_of, group), known, pushed)
        upsert(api, dataset, records, f"{name}/{pairs_form.DATASET}", say)
    return pushed


def _ready(api: Api, workspace: str) -> str:
    found = api.datasets(workspace).get(pairs_form.DATASET)
    if found is not None and found.ready:
        if found.guidelines != pairs_form.guidelines():
            api.change_guidelines(found.id, pairs_form.guidelines())
        return found.id
    if found is not None:
        # A push that was killed between making the dataset and publishing it; nothing can be in it.
        api.delete_dataset(found.id)
    body = pairs_form.body(workspace)
    return api.make_dataset(body, pairs_form.fields(), pairs_form.questions(), pairs_form.metadata())
