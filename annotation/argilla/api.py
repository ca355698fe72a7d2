"""Argilla's REST API, the part that is needed here. Nothing else in this toolkit talks to Argilla."""

import ipaddress
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit

import httpx2

from schemas.command_line import command_line

Json = dict[str, Any]
PAGE = 200
MAX_RECORDS = 200
MAX_CHARACTERS = 2_000_000


class ArgillaError(Exception):
    """Argilla cannot be reached or refuses; the message says what was asked, what came back and what to do."""


class Person(NamedTuple):
    """An account."""

    id: str
    name: str
    role: str


class Dataset(NamedTuple):
    """A dataset as Argilla describes it."""

    id: str
    name: str
    ready: bool
    guidelines: str
    min_submitted: int


class Api:
    """One Argilla, as its owner. Open it with `with`. Every method raises ArgillaError."""

    def __init__(self, url: str, key: str) -> None:
        self.url = url.rstrip("/")
        here = _is_this_machine(url)
        headers = {"X-Argilla-Api-Key": key}
        if here:
            # Compressing what never leaves the machine would cost the server a third of its time.
            headers["Accept-Encoding"] = "identity"
        self._http = httpx2.Client(base_url=self.url, headers=headers, timeout=120, trust_env=not here)

    def __enter__(self) -> Self:
        try:
            self._check()
        except ArgillaError:
            self._http.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def people(self) -> list[Person]:
        """Every account."""
        return [_person(user) for user in self._ask("GET", "users")["items"]]

    def workspaces(self) -> dict[str, str]:
        """The id of each workspace, by name."""
        return {workspace["name"]: workspace["id"] for workspace in self._ask("GET", "me/workspaces")["items"]}

    def make_workspace(self, name: str) -> str:
        """The id of a new workspace."""
        return str(self._ask("POST", "workspaces", json={"name": name})["id"])

    def members(self, workspace: str) -> list[Person]:
        """Who is in a workspace."""
        return [_person(user) for user in self._ask("GET", f"workspaces/{workspace}/users")["items"]]

    def join(self, workspace: str, person: str) -> None:
        """Let somebody into a workspace."""
        self._ask("POST", f"workspaces/{workspace}/users", json={"user_id": person})

    def leave(self, workspace: str, person: str) -> None:
        """Take somebody out of a workspace; what they answered stays."""
        self._ask("DELETE", f"workspaces/{workspace}/users/{person}")

    def datasets(self, workspace: str) -> dict[str, Dataset]:
        """The datasets of a workspace, by name."""
        found = self._ask("GET", "me/datasets", params={"workspace_id": workspace})["items"]
        return {dataset["name"]: _dataset(dataset) for dataset in found}

    def make_dataset(self, body: Json, fields: Sequence[Json], questions: Sequence[Json], terms: Sequence[Json]) -> str:
        """The id of a new dataset, published with its form."""
        made = str(self._ask("POST", "datasets", json=body)["id"])
        for kind, parts in (("fields", fields), ("questions", questions), ("metadata-properties", terms)):
            for part in parts:
                self._ask("POST", f"datasets/{made}/{kind}", json=part)
        self._ask("PUT", f"datasets/{made}/publish")
        return made

    def change_guidelines(self, dataset: str, text: str) -> None:
        """Replace a dataset's guidelines."""
        self._ask("PATCH", f"datasets/{dataset}", json={"guidelines": text})

    def delete_dataset(self, dataset: str) -> None:
        """Delete a dataset with all that is in it."""
        self._ask("DELETE", f"datasets/{dataset}")

    def question_ids(self, dataset: str) -> dict[str, str]:
        """The id of each question of a dataset, by name."""
        return {q["name"]: q["id"] for q in self._ask("GET", f"datasets/{dataset}/questions")["items"]}

    def records(self, dataset: str, *, responses: bool = False) -> Iterator[Json]:
        """Every record of a dataset, by external id; with `responses`, with everybody's."""
        order = {"sort": [{"scope": {"entity": "record", "property": "external_id"}, "order": "asc"}]}
        offset = 0
        while True:
            params: dict[str, str | int] = {"limit": PAGE, "offset": offset}
            if responses:
                params["include"] = "responses"
            items = self._ask("POST", f"datasets/{dataset}/records/search", json=order, params=params)["items"]
            yield from (item["record"] for item in items)
            offset += PAGE
            if len(items) < PAGE:
                return

    def upsert(self, dataset: str, records: Sequence[Json]) -> Iterator[int]:
        """Add or change records by external id, some at a time; yields how many are done."""
        done = 0
        for batch in _batches(records):
            self._ask("PUT", f"datasets/{dataset}/records/bulk", json={"items": batch})
            done += len(batch)
            yield done

    def _check(self) -> None:
        version = str(self._ask("GET", "version")["version"])
        if not version.startswith("2."):
            raise ArgillaError(f"{self.url} is an Argilla {version}; this toolkit works with Argilla 2")
        me = _person(self._ask("GET", "me"))
        if me.role != "owner":
            raise ArgillaError(f"the API key for {self.url} is that of {me.name} ({me.role}): give an owner's key")

    def _ask(
        self, method: str, path: str, *, json: Json | None = None, params: dict[str, str | int] | None = None
    ) -> Any:
        try:
            answer = self._http.request(method, f"/api/v1/{path}", json=json, params=params)
        except httpx2.TransportError as error:
            why = re.sub(r"\[Errno -?\d+\] ", "", str(error))
            raise ArgillaError(
                f"no Argilla answers at {self.url} ({why}): is `{command_line('annotate-dataset', 'serve')}` running? "
                "For an Argilla elsewhere set ARGILLA_API_URL and ARGILLA_API_KEY"
            ) from error
        if answer.status_code == 401:
            raise ArgillaError(f"{self.url} does not know this API key")
        if not answer.is_success:
            raise ArgillaError(f"{self.url} refused {method} {path}: {answer.status_code} {answer.text[:300]}")
        try:
            return answer.json() if answer.content else None
        except ValueError as error:
            raise ArgillaError(f"{self.url} is no Argilla: {path} answered something else than JSON") from error


def _batches(records: Sequence[Json]) -> Iterator[list[Json]]:
    """Batches that are neither too many records nor too much text."""
    batch: list[Json] = []
    size = 0
    for record in records:
        length = sum(len(text) for text in record["fields"].values())
        if batch and (len(batch) == MAX_RECORDS or size + length > MAX_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(record)
        size += length
    if batch:
        yield batch


def _person(user: Json) -> Person:
    return Person(str(user["id"]), str(user["username"]), str(user["role"]))


def _dataset(body: Json) -> Dataset:
    return Dataset(
        str(body["id"]),
        str(body["name"]),
        body["status"] == "ready",
        str(body["guidelines"] or ""),
        int(body["distribution"]["min_submitted"]),
    )


def _is_this_machine(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
