"""Open batches of another stage or of a larger plan: their answers wait for those who want them."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from builder.cli import main
from builder.journal.batches import Batch, BatchLedger
from builder.journal.store import Journal
from builder.transports.backlog import IN_A_BATCH
from tests.builder.batching import PROTOCOLS, ask, left_under_way, requests
from tests.servers.batch_server import batch_server
from tests.servers.chat_server import Reply, chat_server, text_reply
from tests.servers.models import well_behaved


def fine(protocol: str, _body: dict[str, Any]) -> Reply:
    return text_reply(protocol, "ok")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_batch_of_a_later_stage_is_left_to_it(tmp_path: Path, protocol: str) -> None:
    model = f"{protocol}/m"
    later, earlier = requests(["a", "b"], model, "respond"), requests(["c"], model, "predict")
    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        left_under_way(journal, server, later)
        assert ask(journal, server, earlier).answered == 1
        assert ask(journal, server, later).answered == 2
        assert BatchLedger(journal).open([model]) == []
        assert set(Counter(server.asked).values()) == {1}
        assert {attempt.key: attempt.stage for attempt in journal.attempts()} == {
            wanted.key: wanted.stage for wanted in (*later, *earlier)
        }


def test_a_running_batch_of_a_later_stage_is_not_waited_for(tmp_path: Path) -> None:
    later, earlier = requests(["a"], "openai/m", "respond"), requests(["c"], "openai/m", "predict")
    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        left_under_way(journal, server, later)
        server.running.add("batch_0")
        assert ask(journal, server, earlier).answered == 1


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_smaller_plan_takes_its_part_of_a_batch_and_leaves_the_rest(tmp_path: Path, protocol: str) -> None:
    plan = requests(["a", "b", "c", "d"], f"{protocol}/m")
    with batch_server(fine) as server, Journal(tmp_path / "j.sqlite") as journal:
        left_under_way(journal, server, plan)
        assert ask(journal, server, plan[:2]).answered == 2
        (rest,) = BatchLedger(journal).open([f"{protocol}/m"])
        assert set(rest.keys) == {wanted.key for wanted in plan[2:]}
        report = ask(journal, server, plan)
        assert (report.already, report.answered) == (2, 2)
        assert set(Counter(server.asked).values()) == {1}


def test_what_failed_in_a_batch_that_others_still_want_is_asked_anew(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    def script(protocol: str, body: dict[str, Any]) -> Reply | None:
        word = body["messages"][0]["content"]
        seen[word] += 1
        return None if word == "a" and seen[word] == 1 else fine(protocol, body)

    plan = requests(["a", "b"], "openai/m")
    with batch_server(script) as server, Journal(tmp_path / "j.sqlite") as journal:
        left_under_way(journal, server, plan)
        assert ask(journal, server, plan[:1]).answered == 1
        assert ask(journal, server, plan).answered == 1
        assert [len(batch["items"]) for batch in server.batches.values()] == [2, 1]


def test_what_a_batch_under_way_holds_is_not_asked_live(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    flags = ["--topics", "weapons", "--levels", "1", "--per-cell", "1", "--targets", "openai/m", "--judges", "lexical"]
    with chat_server(well_behaved) as chat:
        here = ["--run", str(tmp_path / "run"), "--base-url", f"openai={chat.url}/v1"]
        assert main([*flags, "--run", str(tmp_path / "other"), *here[2:]]) == 0
        with Journal(tmp_path / "other" / "journal.sqlite") as journal:
            keys = tuple(attempt.key for attempt in journal.attempts() if attempt.stage == "predict")
        (tmp_path / "run").mkdir()
        with Journal(tmp_path / "run" / "journal.sqlite") as journal:
            ledger = BatchLedger(journal)
            ledger.intend(Batch("tag", "openai/m", (*keys[:2], "of-no-plan"), "2026-01-01T00:00:00Z", "batch_1"))
        asked = len(chat.bodies)
        assert main([*flags, *here]) == 3
        assert len(chat.bodies) - asked == 1 + 3
        told = capsys.readouterr().out
        assert f"2 requests still to be asked ({IN_A_BATCH})" in told
        assert "run the same command with --transport batch" in told
        with Journal(tmp_path / "run" / "journal.sqlite") as journal:
            BatchLedger(journal).ended("tag")
        assert main([*flags, *here]) == 0
        assert len(chat.bodies) - asked == 3 + 3
