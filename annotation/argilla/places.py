"""Where things are in Argilla: names of workspaces and datasets, and who works where.

Access in Argilla goes by workspace and overlap by dataset. So each topic that people may decline has a workspace of its
own, and responses that want one, two or three people lie in a dataset each.
"""

from schemas.vocabulary import Topic

WORKSPACE = "refusals"
DECLINABLE = (Topic.SELF_HARM, Topic.HATE)
ADJUDICATION = "adjudication"


def workspace_of(base: str, topic: Topic) -> str:
    """The workspace in which responses to a topic are labelled."""
    return f"{base}-{topic.replace('_', '-')}" if topic in DECLINABLE else base


def labelling_workspaces(base: str) -> dict[str, Topic | None]:
    """Every workspace for labelling, with the topic it is kept for (None: all other topics)."""
    return {base: None, **{workspace_of(base, topic): topic for topic in DECLINABLE}}


def adjudication_workspace(base: str) -> str:
    """The workspace of the experts, who see the votes: never one that annotators are in."""
    return f"{base}-{ADJUDICATION}"


def labelling_dataset(topic: Topic, overlap: int, *, assisted: bool = False) -> str:
    """The dataset of the responses to a topic that `overlap` people label."""
    kept_apart = f"{topic.replace('_', '-')}-" if topic in DECLINABLE else ""
    people = "1-person" if overlap == 1 else f"{overlap}-people"
    return f"label-{kept_apart}{people}{'-assisted' if assisted else ''}"
