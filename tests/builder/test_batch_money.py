"""The budget of batches: what is set aside comes back, models share it, and answers are on record before they count."""

from pathlib import Path
from typing import Any

import pytest

from builder.journal.store import Journal
from builder.transports.interrupt import Interrupt
from builder.transports.protocol import Ask, AskReport
from builder.transports.purse import BUDGET, Purse
from schemas.chat import Completion
from schemas.config import Price
from tests.builder.batching import PROTOCOLS, ask, left_under_way, once, requests
from tests.builder.test_live import Silent
from tests.servers.batch_server import BatchServer, batch_server
from tests.servers.chat_server import Reply, text_reply

PRICE = Price(input=0, output=1000)  # US$ .1 for an answer of 100 tokens, the most that is allowed


def fine(protocol: str, _body: dict[str, Any]) -> Reply:
    """An answer of one token."""
    reply = text_reply(protocol, "ok")
    names = ("input_tokens", "output_tokens") if protocol == "anthropic" else ("prompt_tokens", "completion_tokens")
    return Reply(reply.body | {"usage": dict.fromkeys(names, 1)})


def refused(server: BatchServer) -> None:
    server.refusal = "the file is not valid"


def not_submitted(server: BatchServer) -> None:
    server.trouble = lambda method, _path: 400 if method == "POST" else None


def without_lines(server: BatchServer) -> None:
    server.spoil = lambda _content: b""


@pytest.mark.parametrize("trouble", [refused, not_submitted, without_lines])
def test_nothing_stays_set_aside_when_batches_fail(tmp_path: Path, trouble: Any) -> None:
    purse = Purse(lambda _model: PRICE, 10)
    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        trouble(server)
        report = ask(journal, server, requests(["a", "b"], "openai/m"), limit=1, purse=purse)
    assert report.answered == 0
    assert purse.held == pytest.approx(0)
    assert purse.spent == pytest.approx(0.6 if trouble is without_lines else 0)


def test_what_an_interrupt_leaves_under_way_counts_at_the_most(tmp_path: Path) -> None:
    purse, interrupt = Purse(lambda _model: PRICE, 10), Interrupt()
    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        server.on_submitted = interrupt.ask
        ask(journal, server, requests(["a", "b"], "openai/m"), purse=purse, interrupt=interrupt)
    assert purse.held == pytest.approx(0)
    assert purse.spent == pytest.approx(0.2)


def test_expired_requests_cost_nothing_and_each_try_sets_aside_once(tmp_path: Path) -> None:
    purse = Purse(lambda _model: PRICE, 10)
    with batch_server(lambda _kind, _body: None) as server, Journal(tmp_path / "j.sqlite") as journal:
        report = ask(journal, server, requests(["a"], "openai/m"), purse=purse)
        assert len(server.batches) == 3
    assert len(report.failed) == 1
    assert purse.held == pytest.approx(0)
    assert purse.spent == 0


def test_a_model_waits_for_what_another_one_has_set_aside(tmp_path: Path) -> None:
    purse = Purse(lambda _model: PRICE, 0.25)
    plan = requests(["a", "b"], "openai/a") + requests(["c", "d"], "openai/b")
    with batch_server(fine, polls=20) as server, Journal(tmp_path / "j.sqlite") as journal:
        report = ask(journal, server, plan, purse=purse)
    assert (report.answered, report.not_asked) == (4, {})
    assert purse.spent == pytest.approx(0.004)


def test_a_budget_is_asked_up_in_as_many_batches_as_it_takes(tmp_path: Path) -> None:
    purse = Purse(lambda _model: PRICE, 0.4)
    with batch_server(fine, polls=0) as server, Journal(tmp_path / "j.sqlite") as journal:
        report = ask(journal, server, requests([str(n) for n in range(40)], "openai/m"), purse=purse)
    assert report.answered == 40
    assert purse.spent == pytest.approx(0.04)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_spent_budget_is_the_reason_that_is_told(tmp_path: Path, protocol: str) -> None:
    def dear(kind: str, _body: dict[str, Any]) -> Reply:
        reply = text_reply(kind, "ok")
        names = ("input_tokens", "output_tokens") if kind == "anthropic" else ("prompt_tokens", "completion_tokens")
        return Reply(reply.body | {"usage": dict.fromkeys(names, 100)})

    def spend(plan: list[Ask]) -> AskReport:
        return ask(journal, server, plan, purse=purse)

    with batch_server(dear) as server, Journal(tmp_path / "j.sqlite") as journal:
        purse = Purse(lambda _model: PRICE, 0.25)
        report = spend(requests(["a", "b", "c"], f"{protocol}/m"))
    assert report.answered == 2
    assert [why.startswith(BUDGET) for why in report.not_asked.values()] == [True]
    assert purse.spent <= 0.25


def test_a_batch_of_an_earlier_run_counts_before_more_is_submitted(tmp_path: Path) -> None:
    def dear(kind: str, _body: dict[str, Any]) -> Reply:
        return Reply(text_reply(kind, "ok").body | {"usage": {"prompt_tokens": 1, "completion_tokens": 100}})

    purse = Purse(lambda _model: PRICE, 0.25)
    plan = requests(["a", "b", "c", "d"], "openai/m")
    with batch_server(dear) as server, Journal(tmp_path / "j.sqlite") as journal:
        left_under_way(journal, server, plan[:2])
        report = ask(journal, server, plan, purse=purse)
    assert report.answered == 2
    assert purse.spent <= 0.25


def test_an_answer_is_on_record_before_it_is_counted(tmp_path: Path) -> None:
    on_record: list[bool] = []

    class Looking(Silent):
        def answered(self, stage: str, completion: Completion, model: str) -> None:  # noqa: ARG002 - as a watcher's
            on_record.append(journal.completion(completion.key) is not None)

    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        ask(journal, server, requests(["a", "b"], "openai/m"), watcher=Looking())
    assert on_record == [True, True]


def test_a_submit_that_fails_at_last_gives_back_its_part_alone(tmp_path: Path) -> None:
    purse = Purse(lambda _model: PRICE, 10)
    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        server.trouble = once(400, "/batches", after=1)
        report = ask(journal, server, requests(["a", "b", "c"], "openai/m"), limit=1, purse=purse)
    assert report.answered == 1
    assert set(report.not_asked.values()) == {"rejected: no"}
    assert purse.held == pytest.approx(0)
    assert purse.spent == pytest.approx(0.001)
