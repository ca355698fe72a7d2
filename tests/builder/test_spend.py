"""Money and counts while a run goes on: on the screen, as JSON lines, and in the plan."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from builder.cli import main
from builder.evaluate_cli import main as evaluate_judge
from builder.event_log import EventLog, Watchers
from builder.prices import cost_of, price_of, price_table, worst_cost
from builder.progress import BarWatcher, LineWatcher
from builder.waits import Waits
from schemas.chat import Completion, Usage
from schemas.config import BuildConfig, Price
from schemas.vocabulary import Outcome
from tests.servers.chat_server import Reply, chat_server, openai_reply
from tests.servers.models import stage_of, well_behaved

PRICE = Price(input=1_000_000, output=2_000_000, cached_input=100_000, cache_write=1_250_000)
PRICED = {"openai/m": PRICE}
SECRET = "sk-planted-in-the-environment"
RUN = ["--topics", "fraud", "--levels", "1,5", "--per-cell", "1", "--judges", "lexical"]


def answer(outcome: Outcome) -> Completion:
    """An answer that ended so."""
    return Completion("k", outcome, "SAID-BY-THE-MODEL", usage=Usage(3, 1))


def told_to(watcher: BarWatcher | LineWatcher | EventLog | Watchers) -> None:
    """The events of a small stage."""
    watcher.begin("respond", "openai/m", 9, 4)
    watcher.failed("respond", "openai/m", "server")
    for outcome in (Outcome.TEXT, Outcome.REFUSAL_STOP, Outcome.INPUT_FILTERED, Outcome.OUTPUT_FILTERED, Outcome.EMPTY):
        watcher.answered("respond", answer(outcome), "openai/m")
    watcher.end()


SAID = "refused 1, filtered 2, empty 1, failed attempts 1, US$ 25.00"


def test_lines_tell_refusals_filters_errors_and_spend() -> None:
    stream = io.StringIO()
    told_to(LineWatcher(stream, PRICED.get))
    assert "respond openai/m: 9 of 9" in stream.getvalue()
    assert SAID in stream.getvalue()
    assert stream.getvalue().endswith("spent in this run so far: US$ 25.00\n")


def test_lines_go_on_while_nothing_but_failures_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    stream, now = io.StringIO(), 100.0
    monkeypatch.setattr("builder.progress.time.monotonic", lambda: now)
    lines = LineWatcher(stream)
    lines.begin("respond", "openai/m", 9, 4)
    for _ in range(4):
        now += 10
        lines.failed("respond", "openai/m", "rate_limited")
    assert stream.getvalue().splitlines()[1:] == [
        "respond openai/m: an attempt failed (rate_limited); trying again where that can help",
        "respond openai/m: 4 of 9, 0.0/s, no answer in this run yet, failed attempts 2",
        "respond openai/m: 4 of 9, 0.0/s, no answer in this run yet, failed attempts 4",
    ]


def test_bars_tell_refusals_filters_errors_and_spend() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=200)
    told_to(BarWatcher(console, PRICED.get))
    assert isinstance(console.file, io.StringIO)
    assert SAID in console.file.getvalue()


def test_a_wait_for_a_server_s_limit_is_said_once_and_again_when_it_grows() -> None:
    lines, log = io.StringIO(), io.StringIO()
    for watcher in (LineWatcher(lines), EventLog(log, PRICED.get)):
        watcher.begin("respond", "openai/m", 9, 4)
        for wait_s in (34.0, 33.9, 0.0, 2.0, 60.0):
            watcher.waiting("openai/m", wait_s)
        watcher.given_up("openai/m", "auth: THE SERVER'S\nWORDS")
    assert lines.getvalue().splitlines()[1:] == [
        "openai/m: waiting 34 s for its server's limit",
        "openai/m: waiting 60 s for its server's limit",
        "openai/m was given up: auth: THE SERVER'S WORDS",
    ]
    events = [json.loads(line) for line in log.getvalue().splitlines()[1:]]
    assert [(event["event"], event["model"], event.get("wait_s"), event.get("kind")) for event in events] == [
        ("wait", "openai/m", 34.0, None),
        ("wait", "openai/m", 60.0, None),
        ("given_up", "openai/m", None, "auth"),
    ]
    assert "WORDS" not in log.getvalue()


def test_the_bar_of_a_model_that_is_waited_for_counts_down() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=200)
    watcher = BarWatcher(console)
    watcher.begin("respond", "openai/m", 9, 4)
    watcher.waiting("openai/m", 34)
    watcher.failed("respond", "openai/m", "rate_limited")
    watcher.end()
    assert isinstance(console.file, io.StringIO)
    assert "failed attempts 1, waiting 34 s for its server's limit" in console.file.getvalue()


def test_a_wait_passes() -> None:
    now = iter([100.0, 130.5, 134.0])
    waits = Waits(lambda: next(now))
    assert waits.told("openai/m", 34)
    assert (waits.words("openai/m"), waits.words("openai/m")) == ("waiting 4 s for its server's limit", "")


def test_without_a_price_no_money_is_told() -> None:
    stream = io.StringIO()
    told_to(LineWatcher(stream))
    assert "US$" not in stream.getvalue()


def test_every_event_is_one_json_object_without_texts() -> None:
    stream = io.StringIO()
    told_to(Watchers(LineWatcher(io.StringIO()), EventLog(stream, PRICED.get)))
    events = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [event["event"] for event in events] == ["begin", "failure", *["answer"] * 5, "end"]
    assert events[1]["kind"] == "server"
    last = events[-2]
    assert {name: last[name] for name in ("stage", "model", "outcome", "planned", "done", "refused", "filtered")} == {
        "stage": "respond",
        "model": "openai/m",
        "outcome": "empty",
        "planned": 9,
        "done": 9,
        "refused": 1,
        "filtered": 2,
    }
    assert (last["failed_attempts"], last["usd"], events[-1]["usd_total"]) == (1, 25.0, 25.0)
    assert "SAID-BY-THE-MODEL" not in stream.getvalue()


def test_a_run_s_log_holds_its_spend_and_no_text_and_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    (tmp_path / "c.toml").write_text('[prices."openai/m"]\ninput = 1000\noutput = 1000\n')

    def script(protocol: str, body: dict[str, object], call: int) -> Reply:
        if call == 1:
            return Reply({"error": {"message": f"not now, {SECRET}"}}, 500)
        return openai_reply(None, refusal="No.") if stage_of(body) == "respond" else well_behaved(protocol, body, call)

    with chat_server(script) as server:
        flags = ["--targets", "openai/m", "--base-url", f"openai={server.url}/v1", "--config", str(tmp_path / "c.toml")]
        log = tmp_path / "log.jsonl"
        assert main([*RUN, *flags, "--run", str(tmp_path / "run"), "--json-log", str(log)]) == 0
    text = log.read_text()
    events = [json.loads(line) for line in text.splitlines()]
    assert sum(event["event"] == "answer" for event in events) == 12
    assert sum(event["event"] == "failure" for event in events) == 12
    assert events[-1]["usd_total"] == pytest.approx(12 * 10 * 1000 / 1_000_000)
    assert max(event.get("refused", 0) for event in events) == 6
    assert SECRET not in text
    assert "No." not in text
    assert "US$ 0.12" in capsys.readouterr().err


def test_a_file_of_something_else_is_no_log_and_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "gold.jsonl").write_text('{"prompt": "Why?", "response": "No.", "label_binary": "refusal"}\n')
    run = ["--run", str(tmp_path / "run")]
    for words in ("# Notes\n", '{"prompt": "Why?"}\n', "[1]\n", "\xff"):
        other = tmp_path / "README.md"
        other.write_text(words)
        for command, flags in (
            (main, [*RUN, "--targets", "scripted/plausible"]),
            (evaluate_judge, ["--judge", "lexical", "--gold", str(tmp_path / "gold.jsonl")]),
        ):
            assert command([*flags, *run, "--json-log", str(other)]) == 2
            assert f"--json-log {other} exists and is no log of events: give another" in capsys.readouterr().err
        assert other.read_text() == words
    assert not (tmp_path / "run").exists()


def test_a_log_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.touch()
    command = [*RUN, "--targets", "scripted/plausible", "--run", str(tmp_path / "run"), "--json-log", str(log)]
    assert main(command) == 0
    before = log.read_text()
    assert main(command) == 0
    assert log.read_text().startswith(before)


def test_cached_input_is_paid_as_such() -> None:
    usage = Usage(input_tokens=10, output_tokens=1, cached_tokens=6, cache_write_tokens=3)
    assert cost_of(usage, PRICE) == pytest.approx(1 * 1 + 6 * 0.1 + 3 * 1.25 + 2)
    assert cost_of(usage, Price(input=1_000_000, output=0)) == 10
    assert worst_cost(10, 1, PRICE) == pytest.approx(10 * 1.25 + 2)


def test_batches_cost_their_share_where_there_are_batches() -> None:
    live, batch = BuildConfig(), BuildConfig(transport="batch")
    for model in ("openai/gpt-5.2", "anthropic/claude-sonnet-4-5-20250929", "openai/gpt-4o-2024-08-06"):
        full, half = price_of(model, live), price_of(model, batch)
        assert full is not None
        assert half is not None
        assert (half.input, half.output) == (full.input / 2, full.output / 2)
        assert half.cached_input == (None if full.cached_input is None else full.cached_input / 2)
    mine = BuildConfig(transport="batch", prices={"together/a/b": Price(input=2, output=2, batch=0.5)})
    together = price_of("together/a/b", mine)
    assert together is not None
    assert together.input == 2


def test_the_bundled_prices_make_sense() -> None:
    for price in price_table().values():
        assert (
            0 < (price.cached_input or price.input) <= price.input <= (price.cache_write or price.input) < price.output
        )
        assert price.batch == 0.5


def plan(capsys: pytest.CaptureFixture[str], *flags: str) -> str:
    """What the plan says."""
    assert main([*RUN, "--plan", "--run", "/nonexistent", *flags]) == 0
    return capsys.readouterr().out


def test_a_plan_says_what_would_stop_the_run_at_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for variable in ("OPENAI_API_KEY", "OPENROUTER_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    said = plan(capsys, "--targets", "openai/gpt-5.2,openai-compatible/x y,openrouter/m", "--budget-usd", "0.001")
    assert "the run would stop at once" in said
    assert "openai/gpt-5.2 needs an API key: set the environment variable OPENAI_API_KEY" in said
    assert "openai-compatible/x y needs an address" in said
    assert "'openai-compatible/x y' is no name of a model" in said
    assert "is less than the estimate" in said
    assert "openrouter/VENDOR/MODEL" in said


def test_a_plan_that_could_run_hints_at_a_budget_and_names_models_without_a_price(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    said = plan(capsys, "--targets", "openai/gpt-5.2,openai/new")
    assert "hint: --budget-usd 0." in said
    assert "openai/new has no price here" in said
    assert "gpt-5.2 has no price" not in said
    assert "stop at once" not in said


def test_a_plan_by_batch_has_the_batch_price(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)

    def usd(*flags: str) -> float:
        said = plan(capsys, "--targets", "openai/gpt-5.2", "--per-cell", "5", *flags)
        return float(said.partition("about US$ ")[2].split()[0].rstrip(".,"))

    assert usd("--transport", "batch") == pytest.approx(usd() / 2, abs=0.011)


def test_thoughts_are_paid_as_output(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)

    def tokens_out(model: str) -> int:
        row = next(line for line in plan(capsys, "--targets", model).splitlines() if "predict" in line)
        return int(row.split()[-2].replace(",", ""))

    assert tokens_out("openai/gpt-5.2") > 10 * tokens_out("openai/gpt-4o")
