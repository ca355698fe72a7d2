"""Annotators who answer through Argilla's API, as its pages do."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.argilla.api import Api
from annotation.argilla.places import adjudication_workspace
from builder.annotate_cli import main
from builder.journal.store import Journal
from schemas.records import Annotation
from tests.annotation.argilla.server import Serving

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Study:
    """A run that is annotated in a workspace of its own."""

    serving: Serving
    run: Path
    workspace: str

    def __post_init__(self) -> None:
        with self.api() as api:
            main_workspace = api.make_workspace(self.workspace)
            experts = api.make_workspace(adjudication_workspace(self.workspace))
            for person in api.people():
                if person.name in ("ada", "ben"):
                    api.join(main_workspace, person.id)
                if person.name == "eve":
                    api.join(experts, person.id)

    def api(self) -> Api:
        """The API as the owner."""
        return Api(self.serving.url, self.serving.owner_key)

    def annotate(self, verb: str, *flags: str) -> int:
        """The command; the run's own server is the one that all tests share."""
        where = ["--home", str(self.serving.home), "--workspace", self.workspace]
        return main([verb, "--run", str(self.run), *where, *flags])

    def datasets(self) -> dict[str, str]:
        """workspace/dataset → id, of all that is labelled or adjudicated in this study."""
        with self.api() as api:
            return {
                f"{name.removeprefix(self.workspace)}/{dataset.name}": dataset.id
                for name, workspace in api.workspaces().items()
                if name == self.workspace or name.startswith(f"{self.workspace}-")
                for dataset in api.datasets(workspace).values()
            }

    def seen_by(self, name: str, dataset: str) -> list[Json]:
        """The records an annotator's page would load, in its order."""
        answer = self.serving.client(name).post(
            f"/api/v1/me/datasets/{dataset}/records/search",
            params={"limit": 1000, "include": "responses,suggestions"},
            json={},
        )
        assert answer.status_code == 200, answer.text
        return [item["record"] for item in answer.json()["items"]]

    def answer(self, name: str, record: Json, status: str = "submitted", **values: object) -> Json:
        """Answer a record, or answer it again."""
        body = {"status": status, "values": {question: {"value": value} for question, value in values.items()}}
        client = self.serving.client(name)
        before = record.get("responses") or []
        if before:
            answer = client.put(f"/api/v1/responses/{before[0]['id']}", json=body)
        else:
            answer = client.post(f"/api/v1/records/{record['id']}/responses", json=body)
        assert answer.is_success, answer.text
        return dict(answer.json())

    def journal(self) -> list[Annotation]:
        """Every annotation on record."""
        with Journal(self.run / "journal.sqlite") as journal:
            return list(journal.annotations())
