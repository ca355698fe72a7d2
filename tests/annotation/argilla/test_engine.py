"""The search engine, through Argilla's own API: what it finds against an oracle, and one contract a method."""

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tests.annotation.argilla.engine_data import (
    N_RECORDS,
    WORDS,
    Loaded,
    load,
    made,
    passes,
    random_filter,
    random_sort,
    sort_value,
    stored,
    terms,
)
from tests.annotation.argilla.server import Serving

SEED = 20260401


@pytest.fixture(scope="module")
def loaded(argilla: Serving) -> Loaded:
    """150 random records, answered by two people."""
    return load(argilla, "engine", random.Random(SEED))


@pytest.mark.parametrize("user", [None, "ada"])
def test_random_filters_and_sorts_find_what_the_oracle_finds(
    loaded: Loaded, argilla: Serving, user: str | None
) -> None:
    rng = random.Random(SEED + (user == "ada"))
    client = None if user is None else argilla.client(user)
    found_some = 0
    for _ in range(150 if user is None else 30):
        filters = [random_filter(loaded, rng) for _ in range(rng.randrange(3))]
        sorts = [random_sort(rng)] if rng.random() < 0.7 else []
        body: dict[str, Any] = {}
        if filters:
            body["filters"] = {"and": filters}
        if sorts:
            body["sort"] = sorts
        wanted = [r for r in loaded.records if all(passes(r, f, loaded, user) for f in filters)]
        found = loaded.ids(body, client)
        assert sorted(found) == sorted(record["id"] for record in wanted), body
        found_some += bool(found)
        if sorts:
            assert_in_order(found, sorts[0], loaded, user)
    assert found_some > 15


def assert_in_order(found: list[str], order: dict[str, Any], loaded: Loaded, user: str | None) -> None:
    """The values never step back, and records without one come last."""
    by_id = {record["id"]: record for record in loaded.records}
    values = [sort_value(by_id[record], order, loaded, user) for record in found]
    assert values == sorted(values, key=lambda value: value is None), order
    for first, second in pairwise(value for value in values if value is not None):
        assert first <= second if order["order"] == "asc" else first >= second, order


def test_pages_put_together_are_the_whole_and_nothing_twice(loaded: Loaded) -> None:
    order = {"sort": [{"scope": {"entity": "metadata", "metadata_property": "kind"}, "order": "desc"}]}
    pages = [loaded.search(order, limit=40, offset=offset) for offset in range(0, 160, 40)]
    assert {page["total"] for page in pages} == {N_RECORDS}
    assert [item["record"]["id"] for page in pages for item in page["items"]] == loaded.ids(order)


def test_each_annotator_has_an_own_steady_order(loaded: Loaded, argilla: Serving) -> None:
    ada, ben = (argilla.client(name) for name in ("ada", "ben"))
    orders = [loaded.ids({}, ada), loaded.ids({}, ada), loaded.ids({}, ben), loaded.ids({})]
    assert orders[0] == orders[1]
    assert len({tuple(order) for order in orders}) == 3
    assert all(sorted(order) == sorted(orders[0]) for order in orders)


def words(record: dict[str, Any]) -> set[str]:
    """The words in both fields."""
    return set(" ".join(record["fields"].values()).split())


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ("apple", lambda has: "apple" in has),
        ("apple bread", lambda has: {"apple", "bread"} <= has),
        ("apple | bread", lambda has: bool({"apple", "bread"} & has)),
        ("apple -bread", lambda has: "apple" in has and "bread" not in has),
        ("-(apple | bread)", lambda has: not {"apple", "bread"} & has),
        ("app*", lambda has: "apple" in has),
        ("+apple +cloud", lambda has: {"apple", "cloud"} <= has),
        ("(apple | bread) cloud", lambda has: bool({"apple", "bread"} & has) and "cloud" in has),
        ('apple" AND ((', lambda has: {"apple", "and"} <= has),
        ("'; DROP TABLE records; --", lambda _has: False),
        ("", lambda _has: True),
    ],
)
def test_text_is_found_by_words(loaded: Loaded, query: str, matches: Any) -> None:
    found = loaded.ids({"query": {"text": {"q": query}}})
    assert sorted(found) == sorted(record["id"] for record in loaded.records if matches(words(record)))


def test_a_phrase_and_a_field_narrow_the_search(loaded: Loaded) -> None:
    first, second, *_ = loaded.records[0]["fields"]["request"].split()
    phrase = f"{first} {second}"
    found = loaded.ids({"query": {"text": {"q": f'"{phrase}"', "field": "request"}}})
    wanted = [r["id"] for r in loaded.records if f"{phrase} " in f"{r['fields']['request']} "]
    assert sorted(found) == sorted(wanted)


def test_better_hits_come_first(loaded: Loaded) -> None:
    items = loaded.search({"query": {"text": {"q": " | ".join(WORDS[:2])}}})["items"]
    scores = [item["query_score"] for item in items]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > scores[-1]


@pytest.mark.parametrize("order", ["most_similar", "least_similar"])
def test_similar_records_are_ranked_by_cosine(loaded: Loaded, order: str) -> None:
    vectors = {record["id"]: np.array(record["vectors"]["place"]) for record in loaded.records}
    target = loaded.records[7]
    sign = 1 if order == "most_similar" else -1

    def cosine(record: str) -> float:
        a, b = vectors[record], vectors[target["id"]]
        return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b)) * sign

    wanted = sorted((r for r in vectors if r != target["id"]), key=cosine, reverse=True)
    body = {"query": {"vector": {"name": "place", "record_id": target["id"], "order": order}}}
    assert [item["record"]["id"] for item in loaded.search(body, limit=20)["items"]] == wanted[:20]
    by_value = {"query": {"vector": {"name": "place", "value": target["vectors"]["place"], "order": order}}}
    assert loaded.ids(by_value)[0] == (target["id"] if sign == 1 else wanted[0])


def test_metadata_is_counted(loaded: Loaded) -> None:
    properties = loaded.owner.get(f"/api/v1/me/datasets/{loaded.dataset}/metadata-properties").json()["items"]
    told = {p["name"]: loaded.owner.get(f"/api/v1/metadata-properties/{p['id']}/metrics").json() for p in properties}
    kinds = [record["metadata"]["kind"] for record in loaded.records if "kind" in record["metadata"]]
    assert {v["term"]: v["count"] for v in told["kind"]["values"]} == {k: kinds.count(k) for k in set(kinds)}
    assert told["kind"]["total"] == len(kinds)
    for name in ("turn", "share"):
        numbers = [record["metadata"][name] for record in loaded.records if name in record["metadata"]]
        assert (told[name]["min"], told[name]["max"]) == (min(numbers), max(numbers))


def test_progress_is_told_for_all_and_for_each(loaded: Loaded, argilla: Serving) -> None:
    total = loaded.owner.get(f"/api/v1/datasets/{loaded.dataset}/progress").json()
    completed = sum(record["status"] == "completed" for record in loaded.records)
    assert (total["total"], total["completed"]) == (N_RECORDS, completed)
    mine = [
        r["status"] for record in loaded.records for r in record["responses"] if r["user_id"] == loaded.users["ada"]
    ]
    told = argilla.client("ada").get(f"/api/v1/me/datasets/{loaded.dataset}/metrics").json()["responses"]
    counts = {status: mine.count(status) for status in ("submitted", "discarded", "draft")}
    assert told == {"total": N_RECORDS, "pending": N_RECORDS - len(mine), **counts}


def test_the_engine_and_the_health_check_say_who_they_are(argilla: Serving) -> None:
    status = argilla.client().get("/api/v1/status").json()
    assert (status["version"], status["search_engine"]["name"]) == ("2.8.0", "sqlite")


def test_every_change_is_found_at_once(argilla: Serving) -> None:
    """One dataset through every call that Argilla reports to its search engine, each followed by a search."""
    loaded = load(argilla, "changes", random.Random(SEED + 2), n_records=12)
    owner, dataset = loaded.owner, loaded.dataset
    record = loaded.records[0]
    url = f"/api/v1/records/{record['id']}"

    def text(word: str) -> list[str]:
        return loaded.ids({"query": {"text": {"q": word}}})

    patched = owner.patch(url, json={"metadata": {"kind": "x"}})  # partial update
    assert patched.status_code == 200, patched.text
    item = {"id": record["id"], "fields": {"request": "zebra naïve 東京タワー", "response": "here"}}
    assert owner.put(f"/api/v1/datasets/{dataset}/records/bulk", json={"items": [item]}).status_code == 200
    assert text("zebra") == text("東京") == text("naive") == [record["id"]]
    suggestion = {"question_id": loaded.questions["label"], "value": "two", "type": "human", "agent": "new"}
    placed = owner.put(f"{url}/suggestions", json=suggestion)
    assert placed.status_code in (200, 201), placed.text
    agent = {"entity": "suggestion", "question": "label", "property": "agent"}
    assert loaded.ids({"filters": {"and": [terms(agent, ["new"])]}}) == [record["id"]]
    assert owner.delete(f"{url}/suggestions", params={"ids": placed.json()["id"]}).status_code == 204
    assert loaded.ids({"filters": {"and": [terms(agent, ["new"])]}}) == []
    made(owner, f"/api/v1/datasets/{dataset}/metadata-properties", {
        "name": "late", "title": "late", "settings": {"type": "terms"},
    })  # fmt: skip
    owner.patch(url, json={"metadata": {"late": "yes"}})
    late = terms({"entity": "metadata", "metadata_property": "late"}, ["yes"])
    assert loaded.ids({"filters": {"and": [late]}}) == [record["id"]]
    assert owner.delete(url).status_code == 200
    assert text("zebra") == []
    others = [r["id"] for r in loaded.records[1:4]]
    assert owner.delete(f"/api/v1/datasets/{dataset}/records", params={"ids": ",".join(others)}).status_code == 204
    assert len(loaded.ids({})) == 8 == len(stored(owner, dataset))
    assert owner.delete(f"/api/v1/datasets/{dataset}").status_code == 200


def test_a_response_is_seen_when_it_is_given_changed_and_taken_back(argilla: Serving) -> None:
    loaded = load(argilla, "responses", random.Random(SEED + 3), n_records=12)
    ada = argilla.client("ada")
    user = loaded.users["ada"]
    record = next(r["id"] for r in loaded.records if all(a["user_id"] != user for a in r["responses"]))
    status = {"entity": "response", "property": "status"}

    def is_found(value: str) -> bool:
        return record in loaded.ids({"filters": {"and": [terms(status, [value])]}}, ada)

    assert is_found("pending")
    given = made(ada, f"/api/v1/records/{record}/responses", {"status": "draft", "values": {}})
    assert is_found("draft")
    assert not is_found("pending")
    values = {"label": {"value": "one"}}
    changed = ada.put(f"/api/v1/responses/{given['id']}", json={"status": "submitted", "values": values})
    assert changed.status_code == 200, changed.text
    assert is_found("submitted")
    assert ada.delete(f"/api/v1/responses/{given['id']}").status_code == 200
    assert is_found("pending")
