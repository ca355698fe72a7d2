"""Who is let into which workspace: everybody into those of the topics they have not declined."""

from collections.abc import Iterable, Mapping

from annotation.argilla.api import Api, Person
from annotation.argilla.places import labelling_workspaces
from schemas.vocabulary import Topic


def ensured_workspace(api: Api, name: str) -> str:
    """The id of a workspace, which is made if it is missing."""
    return api.workspaces().get(name) or api.make_workspace(name)


def let_in(
    api: Api, base: str, workspaces: Mapping[str, str], declined: Mapping[str, Iterable[Topic]]
) -> dict[str, list[str]]:
    """Let the people of the main workspace into those of the topics they take and out of the others.

    Returns the annotators by workspace. What somebody answered before stays.
    """
    people = [person for person in api.members(workspaces[base]) if person.role != "owner"]
    who = {base: _annotators(people)}
    for name, topic in labelling_workspaces(base).items():
        if topic is not None:
            takers = [person for person in people if topic not in set(declined.get(person.name, ()))]
            _change(api, workspaces[name], people, takers)
            who[name] = _annotators(takers)
    return who


def _change(api: Api, workspace: str, people: Iterable[Person], takers: Iterable[Person]) -> None:
    inside = {person.id for person in api.members(workspace)}
    wanted = {person.id for person in takers}
    for person in people:
        if person.id in wanted - inside:
            api.join(workspace, person.id)
        elif person.id in inside - wanted:
            api.leave(workspace, person.id)


def _annotators(people: Iterable[Person]) -> list[str]:
    return [person.name for person in people if person.role == "annotator"]
