"""Open batches of another stage or of a larger plan: their answers wait for those who want them."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from builder.cli import main
from builder.journal.batches import BatchLedger
from builder.journal.store import Journal
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


def test_asking_live_what_a_batch_holds_is_said_before_it_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    flags = ["--topics", "weapons", "--levels", "1", "--per-cell", "1", "--targets", "openai/m", "--judges", "lexical"]
    with batch_server(fine) as server, Journal(tmp_path / "journal.sqlite") as journal:
        left_under_way(journal, server, requests(["a", "b"], "openai/m"))
    with chat_server(well_behaved) as chat:
        assert main([*flags, "--run", str(tmp_path), "--base-url", f"openai={chat.url}/v1"]) == 0
    said = "2 requests may be in 1 batch of before: --transport batch collects them"
    assert said in capsys.readouterr().err
