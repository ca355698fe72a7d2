"""The budget: a hard stop that counts calls in flight at the most they can cost."""

from pathlib import Path

import pytest

from builder.cli import main
from builder.journal.store import Entry, Journal
from builder.prices import price_of
from builder.providers.openai_batches import OpenAIBatches
from builder.providers.protocol import CallError, FailureKind
from builder.providers.scripted import ScriptedProvider
from builder.spend import budget_of
from builder.transports.batch import BatchTransport
from builder.transports.live import LiveTransport
from builder.transports.purse import Purse
from schemas.chat import ChatRequest, Completion, Message, Usage
from schemas.config import BuildConfig, Price
from schemas.vocabulary import Outcome
from tests.builder.test_live import Silent, asks, failing, transport
from tests.servers.batch_server import batch_server
from tests.servers.chat_server import Reply, chat_server
from tests.servers.models import well_behaved

DOLLAR_A_TOKEN = Price(input=1_000_000, output=1_000_000)
REQUEST = ChatRequest("openai/m", (Message("user", "abc"),), max_tokens=9)


def test_a_dated_snapshot_costs_what_its_model_does_and_the_user_has_the_last_word() -> None:
    config = BuildConfig(prices={"openai/gpt-5.2": Price(input=9, output=9)})
    known = price_of("anthropic/claude-sonnet-4-5-20250929", config)
    assert known is not None
    assert (known.input, known.output) == (3, 15)
    mine = price_of("openai/gpt-5.2", config)
    assert mine is not None
    assert mine.input == 9
    assert price_of("openai/unheard-of", config) is None
    assert price_of("local/x", config) == Price(input=0, output=0)


def test_money_is_held_at_the_worst_and_settled_at_what_it_was() -> None:
    purse = Purse(lambda _model: DOLLAR_A_TOKEN, limit=200)
    held = purse.hold(REQUEST)
    assert held == 3 + 50 + 9
    purse.ended("openai/m", held, Completion("k", Outcome.TEXT, "x", usage=Usage(2, 3)))
    assert (purse.spent, purse.held) == (5, 0)


@pytest.mark.parametrize(
    ("result", "cost"),
    [
        (Completion("k", Outcome.TEXT, "x", usage=Usage(2, 3)), 5),
        (Completion("k", Outcome.TEXT, "x"), 62),
        (Completion("k", Outcome.TEXT, "x", usage=Usage(input_tokens=2)), 62),
        (Completion("k", Outcome.INPUT_FILTERED, ""), 0),
        (CallError("server", "an error inside HTTP 200"), 62),
        (CallError("timeout", "no answer within the time limit of a call"), 62),
        (CallError("connection", "half a body"), 62),
        (CallError("connection", "refused", sent=False), 0),
        (CallError("malformed", "not JSON"), 62),
        (CallError("rate_limited", "slow down", status=429), 0),
        (CallError("server", "no", status=500), 0),
        (None, 62),
    ],
)
def test_a_call_whose_cost_nobody_tells_costs_all_that_was_set_aside(
    result: Completion | CallError | None, cost: float
) -> None:
    purse = Purse(lambda _model: DOLLAR_A_TOKEN)
    held = purse.hold(REQUEST)
    assert held == 62
    purse.ended("openai/m", held, result)
    assert (purse.spent, purse.held, purse.by_model.get("openai/m", 0)) == (cost, 0, cost)


@pytest.mark.parametrize(
    "text", ["plain words", "12345678901234567890", "\U0001f600" * 9, "\u1019\u103c\u1014\u103a", "\ud83d"]
)
def test_what_is_set_aside_counts_every_byte_that_is_sent(text: str) -> None:
    purse = Purse(lambda _model: Price(input=1_000_000, output=0))
    held = purse.hold(ChatRequest("openai/m", (Message("user", text),), json_schema={"type": "object"}))
    assert held == len(text.encode(errors="surrogatepass")) + len('{"type":"object"}') + 50


def test_an_unreadable_answer_of_a_batch_is_paid_for(tmp_path: Path) -> None:
    purse = Purse(lambda _model: DOLLAR_A_TOKEN)
    with batch_server(lambda _protocol, _body: Reply({})) as server, Journal(tmp_path / "j.sqlite") as journal:
        service = OpenAIBatches("k", f"{server.url}/v1", 10)
        transport = BatchTransport(journal, lambda _name: service, Silent(), poll_s=0.01, purse=purse)
        (ask,) = asks(1, "openai/m")
        report = transport.ask([ask])
        tries = len(server.batches)
    assert list(report.failed) == [ask.key]
    assert tries > 1
    assert purse.spent == tries * (purse.hold(ask.request) or 0)


@pytest.mark.parametrize(("kind", "tries"), [("timeout", 3), ("connection", 3), ("server", 3)])
def test_a_live_call_that_ends_without_a_word_of_its_cost_is_paid_for(
    tmp_path: Path, kind: FailureKind, tries: int
) -> None:
    purse = Purse(lambda _model: DOLLAR_A_TOKEN)
    with Journal(tmp_path / "j.sqlite") as journal:
        live = transport(journal, lambda _name: ScriptedProvider(failing(kind)))
        live.purse = purse
        (ask,) = asks(1)
        live.ask([ask])
    assert purse.spent == tries * (purse.hold(ask.request) or 0)


def test_a_run_never_spends_more_than_its_budget(tmp_path: Path) -> None:
    def script(_request: ChatRequest, key: str, _attempt: int) -> Completion:
        return Completion(key, Outcome.TEXT, "x", usage=Usage(20, 5))

    purse = Purse(lambda _model: DOLLAR_A_TOKEN, limit=10_000)
    provider = ScriptedProvider(script)
    with Journal(tmp_path / "j.sqlite") as journal:
        transport = LiveTransport(journal, lambda _name: provider, Silent(), lambda _model: 2, purse=purse)
        report = transport.ask(asks(1000))
    assert 0 < purse.spent <= 10_000
    assert report.answered == purse.spent / 25
    assert set(report.not_asked.values()) == {purse.why}
    assert report.answered + len(report.not_asked) == 1000


def test_a_call_waits_for_room_beside_those_in_flight_instead_of_ending_the_run(tmp_path: Path) -> None:
    def script(_request: ChatRequest, key: str, _attempt: int) -> Completion:
        return Completion(key, Outcome.TEXT, "x", usage=Usage(20, 5))

    purse = Purse(lambda _model: DOLLAR_A_TOKEN, limit=8_000)
    provider = ScriptedProvider(script)
    with Journal(tmp_path / "j.sqlite") as journal:
        transport = LiveTransport(journal, lambda _name: provider, Silent(), lambda _model: 50, purse=purse)
        report = transport.ask(asks(100))
    assert (report.answered, purse.spent, purse.empty) == (100, 2_500, False)


def test_a_build_that_its_budget_ends_says_so_and_what_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "prices.toml"
    config.write_text('[prices."openai-compatible/m"]\ninput = 1000\noutput = 1000\n')
    cells = ["--topics", "fraud", "--levels", "1", "--per-cell", "1", "--judges", "lexical", "--budget-usd", "0.5"]
    with chat_server(well_behaved) as server:
        model = ["--targets", "openai-compatible/m", "--base-url", f"openai-compatible={server.url}/v1"]
        assert main([*cells, *model, "--config", str(config), "--run", str(tmp_path / "run")]) == 3
        assert server.bodies == []
    told = capsys.readouterr().out
    assert "predict: 3 requests still to be asked (of the budget of US$ 0.5, 0.5 is left; the next call may" in told
    assert "run the same command with a larger --budget-usd" in told


def test_a_budget_needs_a_price(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    flags = ["--run", str(tmp_path), "--targets", "openai/unheard-of", "--judges", "lexical", "--budget-usd", "5"]
    assert main(flags) == 2
    assert "openai/unheard-of has no price" in capsys.readouterr().err


def test_a_budget_counts_what_earlier_commands_spent_in_the_run_directory(tmp_path: Path) -> None:
    config = BuildConfig(budget_usd=9.0, prices={"openai/m": DOLLAR_A_TOKEN})
    with Journal(tmp_path / "j.sqlite") as journal:
        assert budget_of(config, journal).spent == 0
        for ask in asks(2, "openai/m"):
            answer = Completion(ask.key, Outcome.TEXT, "x", usage=Usage(2, 1))
            journal.append([Entry("respond", ask.request, answer)])
        purse = budget_of(config, journal)
        assert (purse.spent, purse.limit) == (6, 9)
        assert purse.hold(REQUEST) is None
        halved = {"transport": "batch", "prices": {"openai/m": DOLLAR_A_TOKEN.model_copy(update={"batch": 0.5})}}
        assert budget_of(config.model_copy(update=halved), journal).spent == 6
        assert budget_of(BuildConfig(), journal).spent == 0
