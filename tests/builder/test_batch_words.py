"""What batches tell while they are waited for, and who is asked no more."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from builder.event_log import EventLog, Watchers
from builder.journal.store import Journal
from builder.progress import LineWatcher
from builder.transports.batch import BatchTransport
from tests.builder.batching import PROTOCOLS, ask, requests, service
from tests.builder.test_live import Silent
from tests.servers.batch_server import batch_server
from tests.servers.chat_server import Reply, text_reply


def fine(protocol: str, _body: dict[str, Any]) -> Reply:
    return text_reply(protocol, "ok")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_is_under_way_is_told(tmp_path: Path, protocol: str) -> None:
    lines, log = io.StringIO(), io.StringIO()
    watcher = Watchers(LineWatcher(lines), EventLog(log, lambda _model: None))
    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        plan = requests(["a", "b", "c"], f"{protocol}/m")
        assert ask(journal, server, plan, limit=2, watcher=watcher).answered == 3
    where = "3 requests in 2 batches at the provider"
    assert f"{protocol}/m: {where}; it may take up to a day. Ctrl-C is safe" in lines.getvalue()
    events = [json.loads(line) for line in log.getvalue().splitlines()]
    told = [(event["requests"], event["batches"]) for event in events if event["event"] == "under_way"]
    assert told == [(3, 2)]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_wrong_key_is_met_in_one_stage_alone(tmp_path: Path, protocol: str) -> None:
    calls: list[str] = []

    def refuse(_method: str, path: str) -> int:
        calls.append(path)
        return 401

    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        server.trouble = refuse
        transport = BatchTransport(journal, lambda _name: service(server, protocol), Silent(), poll_s=0.01)
        first = transport.ask(requests(["a"], f"{protocol}/m", "predict"))
        met = len(calls)
        second = transport.ask(requests(["b", "c"], f"{protocol}/m"))
    assert met >= 1
    assert len(calls) == met
    assert first.stopped == second.stopped
    assert len(second.not_asked) == 2
