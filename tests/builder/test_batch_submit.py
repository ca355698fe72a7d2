"""Submitting: tried again where the provider surely has nothing, looked for where it may have it, never done twice."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from builder.journal.batches import Batch, BatchLedger
from builder.journal.store import Journal
from builder.providers.batches import Item
from builder.providers.clock import now_text
from builder.transports.protocol import Ask
from tests.builder.batching import PROTOCOLS, ask, once, requests, service
from tests.servers.batch_server import BatchServer, batch_server
from tests.servers.chat_server import Reply, text_reply


def fine(protocol: str, _body: dict[str, Any]) -> Reply:
    return text_reply(protocol, "ok")


def submit(server: BatchServer, asks: Sequence[Ask], tag: str) -> None:
    """A batch that somebody submits without writing anything down."""

    async def run() -> None:
        made = service(server, asks[0].request.model.partition("/")[0])
        await made.submit([Item(one.key, one.request) for one in asks], tag)
        await made.close()

    asyncio.run(run())


def intend(journal: Journal, asks: Sequence[Ask], tag: str) -> None:
    """On record that the batch was about to be submitted."""
    keys = tuple(one.key for one in asks)
    BatchLedger(journal).intend(Batch(tag, asks[0].request.model, keys, now_text(), None))


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("status", [429, 503])
def test_a_moment_of_trouble_at_submitting_costs_nothing(tmp_path: Path, protocol: str, status: int) -> None:
    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        server.trouble = once(status, "/batches", after=1)
        report = ask(journal, server, requests(["a", "b", "c"], f"{protocol}/m"), limit=1)
        assert (report.answered, report.stopped) == (3, {})
        assert set(Counter(server.asked).values()) == {1}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_was_submitted_before_the_trouble_is_collected(tmp_path: Path, protocol: str) -> None:
    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        server.trouble = lambda method, _path: 503 if method == "POST" and server.batches else None
        report = ask(journal, server, requests(["a", "b", "c"], f"{protocol}/m"), limit=1)
        assert (report.answered, len(report.not_asked)) == (1, 2)
        assert report.stopped == {f"{protocol}/m": "overloaded: no"}
        server.trouble = lambda _method, _path: None
        assert ask(journal, server, requests(["a", "b", "c"], f"{protocol}/m"), limit=1).answered == 2
        assert set(Counter(server.asked).values()) == {1}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_batch_whose_arrival_was_not_told_is_found_and_not_submitted_again(tmp_path: Path, protocol: str) -> None:
    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        server.late_trouble = once(502, "/batches")
        report = ask(journal, server, requests(["a", "b"], f"{protocol}/m"))
        assert (report.answered, len(server.batches)) == (2, 1)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_may_have_arrived_stays_on_record_while_nobody_can_tell(tmp_path: Path, protocol: str) -> None:
    plan = requests(["a", "b"], f"{protocol}/m")
    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        server.late_trouble = lambda _method, path: None if path.endswith("/files") else 502
        assert list(ask(journal, server, plan).stopped) == [f"{protocol}/m"]
        server.late_trouble = lambda _method, _path: None
        assert ask(journal, server, plan).answered == 2
        assert len(server.batches) == 1


@pytest.mark.parametrize("running", [False, True])
def test_a_batch_of_a_stranger_is_not_taken_for_ours(tmp_path: Path, running: bool) -> None:
    mine, others = requests(["a", "b"], "anthropic/m"), requests(["x", "y"], "anthropic/m")
    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        intend(journal, mine, "t")
        submit(server, others, "before")
        submit(server, mine, "t")
        submit(server, others, "after")
        if running:
            server.running.add("batch_1")
            server.on_request = lambda: server.running.clear() if server.looks["batch_1"] > 3 else None
        report = ask(journal, server, mine)
        assert (report.answered, len(server.batches)) == (2, 3)


def test_where_only_strangers_have_batches_ours_is_submitted(tmp_path: Path) -> None:
    mine = requests(["a", "b"], "anthropic/m")
    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        intend(journal, mine, "t")
        submit(server, requests(["x", "y"], "anthropic/m"), "u")
        assert ask(journal, server, mine).answered == 2
        assert len(server.batches) == 2


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_list_that_breaks_off_is_an_error_of_ours_and_the_intent_stays(tmp_path: Path, protocol: str) -> None:
    mine = requests(["a", "b"], f"{protocol}/m")
    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        intend(journal, mine, "t")
        submit(server, mine, "t")
        submit(server, requests(["x"], f"{protocol}/m"), "u")
        server.page = 1
        server.trouble = lambda _method, path: 500 if "after" in path else None
        assert ask(journal, server, mine).stopped == {f"{protocol}/m": "server: no"}
        server.trouble = lambda _method, _path: None
        assert ask(journal, server, mine).answered == 2
        assert len(server.batches) == 2


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_nothing_is_looked_for_among_batches_that_are_too_old(protocol: str) -> None:
    pages: list[str] = []

    def counted(method: str, path: str) -> None:
        pages.extend([path] if method == "GET" else [])

    async def find(server: BatchServer) -> tuple[str, ...]:
        made = service(server, protocol)
        found = await made.find("t", 1, "2999-01-01T00:00:00Z")
        await made.close()
        return found.ids

    with batch_server(fine) as server:
        for number in range(5):
            submit(server, requests([str(number)], f"{protocol}/m"), str(number))
            server.batches[f"batch_{number}"]["made"] = server.batches[f"batch_{number}"]["made"].replace(
                year=2001 + number
            )
        server.page, server.trouble = 1, counted
        assert asyncio.run(find(server)) == ()
    assert len(pages) <= 2
