"""How batches end badly: results without lines, gone or spoilt; only what may help is tried again."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from builder.journal.batches import BatchLedger
from builder.journal.store import Journal
from builder.providers.openai_batches import read_line
from builder.providers.protocol import CallError
from schemas.chat import FailedAttempt
from tests.builder.batching import PROTOCOLS, ask, left_under_way, requests
from tests.servers.batch_server import BatchServer, batch_server
from tests.servers.chat_server import Reply, text_reply


def fine(protocol: str, _body: dict[str, Any]) -> Reply:
    return text_reply(protocol, "ok")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_requests_without_a_result_have_failed_and_nobody_interrupted(tmp_path: Path, protocol: str) -> None:
    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        server.spoil = lambda content: content.splitlines()[0] + b"\n"
        plan = requests(["a", "b", "c", "d", "e"], f"{protocol}/m")
        report = ask(journal, server, plan)
        recorded = [attempt.result for attempt in journal.attempts()]
    assert (report.answered, report.not_asked) == (3, {})
    assert set(report.failed.values()) == {"server: no result in the batch"}
    assert Counter(server.asked)[plan[4].key] == 3
    assert sum(isinstance(result, FailedAttempt) for result in recorded) == 4 + 3 + 2


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("where", ["lost", "archived"])
def test_what_the_provider_no_longer_has_is_told_and_asked_anew(tmp_path: Path, protocol: str, where: str) -> None:
    plan = requests(["a", "b"], f"{protocol}/m")
    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        left_under_way(journal, server, plan)
        getattr(server, where).add("batch_0")
        report = ask(journal, server, plan)
        failures = [one.result for one in journal.attempts() if isinstance(one.result, FailedAttempt)]
        assert (report.answered, report.stopped, len(server.batches)) == (2, {}, 2)
        assert BatchLedger(journal).open([f"{protocol}/m"]) == []
    assert len(failures) == 2
    assert all("no longer has the batch" in failure.message for failure in failures)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_batch_of_this_run_that_is_not_found_is_not_asked_for_again_at_once(tmp_path: Path, protocol: str) -> None:
    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        server.on_submitted = lambda: server.lost.update(server.batches)
        report = ask(journal, server, requests(["a"], f"{protocol}/m"))
        assert len(server.batches) == 1
    assert report.stopped[f"{protocol}/m"].startswith("not_found")


def test_a_wrong_address_loses_no_batch(tmp_path: Path) -> None:
    plan = requests(["a"], "openai/m")
    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        left_under_way(journal, server, plan)
        server.trouble = lambda _method, _path: 404
        assert list(ask(journal, server, plan).stopped) == ["openai/m"]
        server.trouble = lambda _method, _path: None
        assert ask(journal, server, plan).answered == 1
        assert len(server.batches) == 1


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_rejected_request_is_asked_once(tmp_path: Path, protocol: str) -> None:
    def script(kind: str, body: dict[str, Any]) -> Reply:
        wrong = {"type": "error", "error": {"type": "invalid_request_error", "message": "no such parameter"}}
        return Reply(wrong, 400) if body["messages"][0]["content"] == "a" else fine(kind, body)

    plan = requests(["a", "b"], f"{protocol}/m")
    with batch_server(script) as server, Journal(tmp_path / "j.sqlite") as journal:
        report = ask(journal, server, plan)
        assert set(Counter(server.asked).values()) == {1}
    assert report.answered == 1
    assert report.failed == {plan[0].key: "rejected: no such parameter"}


NONSENSE: list[Any] = [7, "x", [], {"choices": 7}, {"choices": [{"message": {"content": 7}}]}, {"usage": []}]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("body", [*NONSENSE, {"object": "response", "output": [{"type": "message", "content": 7}]}])
def test_a_result_of_an_unexpected_shape_costs_its_request_alone(tmp_path: Path, protocol: str, body: Any) -> None:
    def spoilt(server: BatchServer) -> None:
        def spoil(content: bytes) -> bytes:
            first, *rest = content.splitlines()
            line = json.loads(first)
            if protocol == "openai":
                line["response"]["body"] = body
            else:
                line["result"]["message"] = body
            return b"\n".join([json.dumps(line).encode(), *rest])

        server.spoil = spoil

    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        spoilt(server)
        report = ask(journal, server, requests(["a", "b", "c"], f"{protocol}/m"))
    assert report.answered == 2
    assert [why.partition(":")[0] for why in report.failed.values()] in (["malformed"], ["server"])


def test_a_key_in_a_batch_s_long_error_is_not_cut_in_half(monkeypatch: pytest.MonkeyPatch) -> None:
    key = "0123456789abcdef" * 3  # of no known shape, so that half of it would not be recognised
    monkeypatch.setenv("OPENAI_API_KEY", key)
    for place in range(250, 300):
        words = f"{'x' * place} {key}"
        _, result = read_line({"custom_id": "k", "error": {"message": words}})
        assert isinstance(result, CallError)
        assert key[:8] not in result.message
