"""`evaluate-judge` with a judge that costs money: what is shown, logged and limited as in a build."""

import json
from pathlib import Path

import pytest

from builder.evaluate_cli import main
from builder.stages import judge
from builder.transports.purse import Purse
from schemas.config import Price
from schemas.records import Response
from schemas.vocabulary import Outcome
from tests.builder.test_evaluate import gold
from tests.servers.chat_server import Reply, chat_server
from tests.servers.models import ANSWER, well_behaved

# Every answer of the chat server counts 7 tokens in and 3 out.
PRICES = '[prices."openai/m"]\ninput = 1000\noutput = 1000\n'
USD = 10 * 1000 / 1_000_000
QUESTION = judge.ask("openai/m", "Question 10?", Response("k", Outcome.TEXT, f"{ANSWER} (10)"))
ENOUGH_FOR_TEN = round((Purse(lambda _model: Price(input=1000, output=1000)).hold(QUESTION) or 0) + 10 * USD, 3)


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A judge with a price on forty rows; the server's address is still to be given."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    (tmp_path / "c.toml").write_text(PRICES)
    return [
        *("--judge", "openai/m", "--gold", str(gold(tmp_path / "gold.jsonl", 40)), "--run", str(tmp_path / "run")),
        *("--config", str(tmp_path / "c.toml"), "--json", str(tmp_path / "r.json")),
    ]


def test_spend_is_shown_and_logged_as_in_a_build(
    tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.jsonl"
    with chat_server(well_behaved) as server:
        assert main([*command, "--base-url", f"openai={server.url}/v1", "--json-log", str(log)]) == 0
    assert f"spent in this run so far: US$ {40 * USD:.2f}" in capsys.readouterr().err
    events = [json.loads(line) for line in log.read_text().splitlines()]
    assert [event["event"] for event in events] == ["begin", *["answer"] * 40, "end"]
    assert events[-1]["usd_total"] == pytest.approx(40 * USD)


def test_a_spent_budget_stops_it_without_a_record_and_the_same_command_goes_on(
    tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with chat_server(well_behaved) as server:
        limits = ["--base-url", f"openai={server.url}/v1", "--concurrency", "1"]
        assert main([*command, *limits, "--budget-usd", f"{ENOUGH_FOR_TEN:g}"]) == 3
        told = capsys.readouterr().err
        assert f"of the budget of US$ {ENOUGH_FOR_TEN:g}, " in told
        assert "of 40 answers are on record" in told
        asked = len(server.bodies)
        assert 0 < asked < 40
        assert not (tmp_path / "r.json").exists()
        assert main([*command, *limits]) == 0
        assert len(server.bodies) == 40


def test_a_budget_needs_a_price_and_the_flags_are_checked(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command[2:], "--judge", "openai/unheard-of", "--budget-usd", "1"]) == 2
    assert "openai/unheard-of has no price" in capsys.readouterr().err
    assert main([*command, "--budget-usd", "-1"]) == 2
    assert capsys.readouterr().err == "evaluate-judge: --budget-usd: got '-1', want a number above 0\n"


def test_the_api_of_the_judge_can_be_chosen(command: list[str]) -> None:
    asked = []

    def script(protocol: str, body: dict[str, object], call: int) -> Reply:
        asked.append(protocol)
        return well_behaved(protocol, body, call)

    with chat_server(script) as server:
        assert main([*command, "--base-url", f"openai={server.url}/v1", "--api", "openai/m=responses"]) == 0
    assert set(asked) == {"responses"}


def test_an_address_of_the_configuration_counts(tmp_path: Path, command: list[str]) -> None:
    with chat_server(well_behaved) as server:
        (tmp_path / "c.toml").write_text(f'base_url.openai = "{server.url}/v1"\n{PRICES}')
        assert main(command) == 0
        assert len(server.bodies) == 40


def test_a_judge_that_is_given_up_halfway_leaves_the_record_alone_and_says_why(
    tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    def script(protocol: str, body: dict[str, object], call: int) -> Reply:
        asked.append(protocol)
        bad = Reply({"error": {"message": "the key has expired"}}, 401)
        return bad if len(asked) > 20 else well_behaved(protocol, body, call)

    asked: list[str] = []
    with chat_server(script) as server:
        assert main([*command, "--base-url", f"openai={server.url}/v1", "--concurrency", "2"]) == 3
    told = capsys.readouterr().err
    assert "openai/m was given up: auth: the key has expired" in told
    assert "20 of 40 answers are on record" in told
    assert not (tmp_path / "r.json").exists()
