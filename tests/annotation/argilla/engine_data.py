"""Random records with all that Argilla can search, and an oracle that filters and sorts them in Python.

The oracle looks at what Argilla's own tables return, never at the engine under test.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx2

from tests.annotation.argilla.server import Serving

WORDS = ("apple", "bread", "cloud", "delta", "ember", "flute", "grape", "house", "ivory", "jolly")
LABELS = ("one", "two", "three", "four")
N_RECORDS = 150
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A published dataset and its records as the database has them."""

    owner: httpx2.Client
    dataset: str
    questions: dict[str, str]
    users: dict[str, str]
    records: tuple[Json, ...]

    def search(self, body: Json, user: httpx2.Client | None = None, **params: int) -> Json:
        """What the search API answers."""
        mine = "" if user is None else "me/"
        answer = (user or self.owner).post(
            f"/api/v1/{mine}datasets/{self.dataset}/records/search",
            params=httpx2.QueryParams({"limit": 1000, "include": "responses,suggestions", **params}),
            json=body,
        )
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def ids(self, body: Json, user: httpx2.Client | None = None) -> list[str]:
        """The records a search finds, in its order."""
        return [item["record"]["id"] for item in self.search(body, user)["items"]]


def load(serving: Serving, name: str, rng: random.Random, n_records: int = N_RECORDS) -> Loaded:
    """Make the dataset, fill it, answer some of it."""
    owner = serving.client()
    workspace = next(w["id"] for w in owner.get("/api/v1/me/workspaces").json()["items"] if w["name"] == "refusals")
    dataset = made(owner, "/api/v1/datasets", {"name": name, "workspace_id": workspace, "distribution": OVERLAP})["id"]
    for body in FIELDS:
        made(owner, f"/api/v1/datasets/{dataset}/fields", body)
    questions = {q["name"]: made(owner, f"/api/v1/datasets/{dataset}/questions", q)["id"] for q in QUESTIONS}
    for body in METADATA:
        made(owner, f"/api/v1/datasets/{dataset}/metadata-properties", body)
    made(owner, f"/api/v1/datasets/{dataset}/vectors-settings", {"name": "place", "title": "place", "dimensions": 4})
    assert owner.put(f"/api/v1/datasets/{dataset}/publish").status_code == 200
    records = [random_record(number, questions, rng) for number in range(n_records)]
    answer = owner.put(f"/api/v1/datasets/{dataset}/records/bulk", json={"items": records})
    assert answer.status_code == 200, answer.text
    ids = [item["id"] for item in answer.json()["items"]]
    for user in ("ada", "ben"):
        answer_some(serving.client(user), ids, rng)
    users = {user["username"]: user["id"] for user in owner.get("/api/v1/users").json()["items"]}
    return Loaded(owner, dataset, questions, users, stored(owner, dataset))


def stored(owner: httpx2.Client, dataset: str) -> tuple[Json, ...]:
    """Every record by the listing of the database, which no search engine takes part in."""
    page = owner.get(
        f"/api/v1/datasets/{dataset}/records", params={"limit": 1000, "include": "responses,suggestions,vectors"}
    )
    assert page.status_code == 200, page.text
    return tuple(page.json()["items"])


def made(client: httpx2.Client, path: str, body: Json) -> Json:
    """What was created."""
    answer = client.post(path, json=body)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


OVERLAP = {"strategy": "overlap", "min_submitted": 2}
FIELDS: tuple[Json, ...] = tuple(
    {"name": name, "title": name, "required": name == "request", "settings": {"type": "text", "use_markdown": False}}
    for name in ("request", "response")
)
QUESTIONS: tuple[Json, ...] = (
    {
        "name": "label",
        "title": "label",
        "required": True,
        "settings": {"type": "label_selection", "options": [{"value": v, "text": v} for v in LABELS]},
    },
    {
        "name": "sure",
        "title": "sure",
        "required": False,
        "settings": {"type": "rating", "options": [{"value": v} for v in range(1, 6)]},
    },
)
METADATA: tuple[Json, ...] = (
    {"name": "kind", "title": "kind", "settings": {"type": "terms"}},
    {"name": "turn", "title": "turn", "settings": {"type": "integer"}},
    {"name": "share", "title": "share", "settings": {"type": "float"}},
)


def random_record(number: int, questions: dict[str, str], rng: random.Random) -> Json:
    """A record; about a fifth of everything optional is missing."""
    metadata = {"kind": rng.choice(("x", "y", "z")), "turn": rng.randrange(8), "share": round(rng.random(), 2)}
    record: Json = {
        "external_id": f"k-{number:03}",
        "fields": {name: " ".join(rng.choices(WORDS, k=4)) for name in ("request", "response")},
        "metadata": {name: value for name, value in metadata.items() if rng.random() < 0.8},
        "vectors": {"place": [round(rng.uniform(-1, 1), 3) for _ in range(4)]},
    }
    if rng.random() < 0.8:
        suggestion = {"question_id": questions["label"], "value": rng.choice(LABELS), "type": "model"}
        record["suggestions"] = [{**suggestion, "score": round(rng.random(), 2), "agent": rng.choice(("j1", "j2"))}]
    return record


def answer_some(user: httpx2.Client, ids: list[str], rng: random.Random) -> None:
    """Submit, discard or draft about two records in three."""
    items = []
    for record in rng.sample(ids, 2 * len(ids) // 3):
        values = {"label": {"value": rng.choice(LABELS)}, "sure": {"value": rng.randrange(1, 6)}}
        status = rng.choices(("submitted", "discarded", "draft"), (8, 1, 1))[0]
        items.append({"record_id": record, "status": status, "values": values})
    for start in range(0, len(items), 50):
        answer = user.post("/api/v1/me/responses/bulk", json={"items": items[start : start + 50]})
        assert answer.status_code == 200, answer.text


Value = str | float | int
Scope = Json


def values_of(record: Json, scope: Scope, loaded: Loaded, user: str | None) -> list[Any]:
    """All values a record has in a scope."""
    match scope["entity"]:
        case "record":
            return [record[scope["property"]]]
        case "metadata":
            value = (record["metadata"] or {}).get(scope["metadata_property"])
            return [] if value is None else [value]
        case "suggestion":
            wanted = [s for s in record["suggestions"] if s["question_id"] == loaded.questions[scope["question"]]]
            return [s[scope["property"]] for s in wanted]
    answers = [r for r in record["responses"] if user is None or r["user_id"] == loaded.users[user]]
    if "question" in scope:
        return [r["values"][scope["question"]]["value"] for r in answers if scope["question"] in (r["values"] or {})]
    return [r["status"] for r in answers] or ["pending"]


def passes(record: Json, wanted: Json, loaded: Loaded, user: str | None) -> bool:
    """Whether a record passes one filter."""
    found = values_of(record, wanted["scope"], loaded, user)
    if wanted["type"] == "terms":
        return any(str(value) in wanted["values"] for value in found)
    low, high = wanted.get("ge"), wanted.get("le")
    return any((low is None or value >= low) and (high is None or value <= high) for value in found)


def sort_value(record: Json, order: Json, loaded: Loaded, user: str | None) -> Any:
    """What a record is sorted by, or None."""
    found = values_of(record, order["scope"], loaded, user)
    if order["scope"]["entity"] == "response" and found == ["pending"]:
        return None
    if not found:
        return None
    if order["scope"]["entity"] == "response" and all(isinstance(value, int) for value in found):
        return sum(float(value) for value in found) / len(found)
    pick: Callable[..., Any] = max if order["order"] == "desc" else min
    return pick(found)


def random_filter(loaded: Loaded, rng: random.Random) -> Json:
    """One filter of any kind Argilla documents."""
    record = rng.choice(loaded.records)
    times = sorted(str(other["inserted_at"]) for other in loaded.records)
    low, high = sorted((round(rng.random(), 2), round(rng.random(), 2)))
    first, last = sorted((rng.randrange(8), rng.randrange(8)))
    choices: list[Json] = [
        terms({"entity": "metadata", "metadata_property": "kind"}, rng.sample(("x", "y", "z"), 2)),
        terms({"entity": "metadata", "metadata_property": "turn"}, [str(rng.randrange(8))]),
        between({"entity": "metadata", "metadata_property": "turn"}, first, last),
        between({"entity": "metadata", "metadata_property": "share"}, low, high),
        between({"entity": "metadata", "metadata_property": "share"}, low, None),
        terms({"entity": "suggestion", "question": "label", "property": "value"}, rng.sample(LABELS, 2)),
        between({"entity": "suggestion", "question": "label", "property": "score"}, low, high),
        terms({"entity": "suggestion", "question": "label", "property": "agent"}, ["j1"]),
        terms({"entity": "response", "question": "label"}, rng.sample(LABELS, 2)),
        between({"entity": "response", "question": "sure"}, 2, 4),
        terms({"entity": "response", "property": "status"}, rng.sample(STATUSES, rng.randrange(1, 4))),
        terms({"entity": "record", "property": "status"}, [rng.choice(("pending", "completed"))]),
        terms({"entity": "record", "property": "external_id"}, [str(record["external_id"]), "k-000"]),
        terms({"entity": "record", "property": "id"}, [str(record["id"])]),
        between({"entity": "record", "property": "inserted_at"}, rng.choice(times), None),
    ]
    return rng.choice(choices)


STATUSES = ("pending", "submitted", "discarded", "draft")


def terms(scope: Scope, values: list[str]) -> Json:
    """A filter for some values."""
    return {"type": "terms", "scope": scope, "values": values}


def between(scope: Scope, low: Value | None, high: Value | None) -> Json:
    """A filter for a range."""
    bounds = {name: bound for name, bound in (("ge", low), ("le", high)) if bound is not None}
    return {"type": "range", "scope": scope, **bounds}


def random_sort(rng: random.Random) -> Json:
    """One sort of any kind Argilla documents."""
    scopes: list[Scope] = [{"entity": "metadata", "metadata_property": name} for name in ("kind", "turn", "share")] + [
        {"entity": "suggestion", "question": "label", "property": name} for name in ("value", "score", "agent")
    ]
    scopes += [{"entity": "record", "property": name} for name in ("external_id", "inserted_at", "status")]
    scopes += [{"entity": "response", "question": "sure"}, {"entity": "response", "property": "status"}]
    return {"scope": rng.choice(scopes), "order": rng.choice(("asc", "desc"))}
