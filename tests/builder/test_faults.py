"""A server that fails in every way: nothing becomes a wrong answer or a crash, and little is asked in vain."""

import json
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from builder.cli import main
from builder.journal.store import Journal
from builder.providers.anthropic_batches import read_entry
from builder.providers.openai_batches import read_line
from builder.providers.protocol import CallError
from builder.transports.retry import RetryPolicy
from schemas.chat import Completion
from tests.builder.test_batch import run as run_batch
from tests.builder.test_build import digests, table
from tests.builder.test_live import asks
from tests.builder.test_outcomes import once_on_wire
from tests.servers.batch_server import batch_server
from tests.servers.chat_server import text_reply
from tests.servers.models import stage_of, well_behaved
from tests.servers.wire_server import Wire, WireServer, http, wire_server

CELLS = ("--topics", "weapons,fraud", "--levels", "1,5", "--per-cell", "2")
ROWS = 2 * 2 * 2 * 3
GOOD = json.dumps(text_reply("openai", "Sure.").body).encode()
FAR = "Wed, 21 Oct 2099 07:28:00 GMT"


def error(status: int, extra: str = "") -> Wire:
    """An error status with a well-formed body."""
    return Wire((http(b'{"error": {"message": "no"}}', status, extra=extra),))


FAULTS: dict[str, Wire] = {
    "429": error(429),
    "429 with a wait": error(429, "retry-after: 1\r\n"),
    "429 with a wait in ms": error(429, "retry-after-ms: 300\r\n"),
    "429 with a date of yesterday": error(429, "retry-after: Wed, 21 Oct 2015 07:28:00 GMT\r\n"),
    "429 from a clock that is wrong": error(429, f"retry-after: {FAR}\r\ndate: {FAR}\r\n"),
    "429 with nonsense": error(429, "retry-after: soon\r\n"),
    "500": error(500),
    "502 in HTML": Wire((http(b"<html>bad gateway</html>", 502, "text/html"),)),
    "529": error(529),
    "dropped": Wire(()),
    "dropped in the headers": Wire((http(GOOD)[:40],)),
    "half a body": Wire((http(GOOD[: len(GOOD) // 2], length=len(GOOD)),)),
    "half a chunked body": Wire((b"HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n20\r\n", GOOD[:32])),
    "slow drip": Wire(tuple(bytes([byte]) for byte in http(GOOD)), 0.2),
    "no HTTP": Wire((b"hello\r\n\r\n",)),
    "cut JSON": Wire((http(GOOD[:-9]),)),
    "HTML and 200": Wire((http(b"<html>hello</html>", kind="text/html"),)),
    "nothing and 200": Wire((http(b""),)),
    "no UTF-8": Wire((http(GOOD.replace(b"Sure", b"\xff\xfe")),)),
    "no gzip": Wire((http(GOOD, extra="content-encoding: gzip\r\n"),)),
    "a hole without a ground": Wire((http(b"[" * 200_000),)),
    "a number without an end": Wire((http(GOOD.replace(b'"total_tokens": 10', b'"total_tokens": ' + b"9" * 5000)),)),
    "an error and 200": Wire((http(b'{"error": {"message": "overloaded", "code": 529}}'),)),
    "a list": Wire((http(b"[]"),)),
    "no choice": Wire((http(b'{"choices": [], "content": null}'),)),
    "a number as text": Wire(
        (http(b'{"choices": [{"message": {"content": 7}}], "content": 7}'),),
    ),
}


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_is_a_failed_call_that_may_be_repeated(name: str, protocol: str) -> None:
    with pytest.raises(CallError) as caught:
        once_on_wire(protocol, FAULTS[name], timeout_s=2)
    assert caught.value.retryable, caught.value.kind


class Fickle:
    """Fails at the first call of every other text of a stage, each time in another way; then answers."""

    def __init__(self) -> None:
        self.faults = [fault for fault in FAULTS.values() for _ in range(2)]
        self.seen: Counter[str] = Counter()
        self.failed = 0
        self.lock = threading.Lock()

    def script(self, protocol: str, body: dict[str, Any]) -> Wire:
        """One call."""
        with self.lock:
            name = json.dumps(body, sort_keys=True)
            self.seen[name] += 1
            if self.seen[name] == 1 and len(self.seen) % 2 and self.failed < len(self.faults):
                self.failed += 1
                return self.faults[self.failed - 1]
        return steady(protocol, body)


def steady(protocol: str, body: dict[str, Any]) -> Wire:
    """A model that answers in form."""
    return Wire((http(json.dumps(well_behaved(protocol, body, 1).body).encode()),))


def build(run: Path, server: WireServer, *flags: str) -> int:
    """A small build with a target and a judge on each protocol."""
    run.mkdir(exist_ok=True)
    (run / "c.toml").write_text("call_timeout_s = 3\n")
    places = (*("--base-url", f"openai-compatible={server.url}/v1"), *("--base-url", f"anthropic={server.url}"))
    models = ("--targets", "openai-compatible/t,anthropic/t", "--judges", "lexical,openai-compatible/j")
    settings = ("--config", str(run / "c.toml"), "--concurrency", "4")
    return main(["--run", str(run), *CELLS, *models, *places, *settings, *flags])


def test_after_every_fault_once_the_release_is_the_one_of_a_quiet_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    with wire_server(steady) as server:
        assert build(tmp_path / "quiet", server) == 0
        needed = len(server.bodies)
    fickle = Fickle()
    with wire_server(fickle.script) as server:
        assert build(tmp_path / "fickle", server) == 0
        made = len(server.bodies)
    assert fickle.failed == len(fickle.faults)
    assert made <= (needed + fickle.failed) * 1.02
    assert tables(tmp_path / "fickle" / "release") == tables(tmp_path / "quiet" / "release")


def tables(release: Path) -> dict[str, str]:
    """The digests of the tables, without the one of attempts, which tells of the faults."""
    return {name: digest for name, digest in digests(release).items() if name[:5] == "data/" and "attempts" not in name}


@pytest.mark.parametrize("name", ["500", "HTML and 200", "dropped"])
def test_a_provider_that_only_fails_is_given_up_and_all_other_work_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    calls: Counter[str] = Counter()

    def script(protocol: str, body: dict[str, Any]) -> Wire:
        calls[protocol] += 1
        return FAULTS[name] if protocol == "anthropic" else steady(protocol, body)

    with wire_server(script) as server:
        assert build(tmp_path, server) == 3
    assert "predict: anthropic/t was given up" in capsys.readouterr().out
    assert calls["anthropic"] <= 2 * 4 * RetryPolicy().attempts  # two stages, four requests at a time
    rows = table(tmp_path / "release", "datapoints")
    assert Counter((row["target"].partition("/")[0], row["status"] == "error") for row in rows) == {
        ("openai-compatible", False): ROWS,
        ("anthropic", True): ROWS,
    }


def test_answers_of_ten_megabytes_that_share_an_id_are_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")

    def script(protocol: str, body: dict[str, Any]) -> Wire:
        if stage_of(body) != "respond" or protocol != "openai":
            return steady(protocol, body)
        return Wire((http(json.dumps(text_reply("openai", "word " * 2_000_000).body).encode()),))

    with wire_server(script) as server:
        assert build(tmp_path, server, "--topics", "weapons", "--levels", "1", "--per-cell", "1") == 0
    with Journal(tmp_path / "journal.sqlite") as journal:
        texts = [a.result.text for a in journal.attempts() if isinstance(a.result, Completion) and a.stage == "respond"]
    assert sorted(map(len, texts))[-3:] == [10_000_000] * 3
    assert len(table(tmp_path / "release", "datapoints")) == 6


LINES: list[Any] = [{}, {"custom_id": 7}, {"custom_id": "k", "response": "no"}, {"custom_id": "k", "error": "no"}]
LINES += [{"custom_id": "k", "response": {"status_code": "x", "body": 1}}, [], None, 3, "text"]
ENTRIES: list[Any] = [{}, {"custom_id": 7, "result": 1}, {"custom_id": "k", "result": {"type": "errored", "error": 1}}]
ENTRIES += [{"custom_id": "k", "result": {"type": "succeeded", "message": 1}}, [], None, 3, "text"]
ENTRIES += [{"custom_id": "k", "result": {"type": "errored", "error": {"error": "no"}}}]


@pytest.mark.parametrize(
    ("read", "line"), [*((read_line, line) for line in LINES), *((read_entry, entry) for entry in ENTRIES)]
)
def test_a_nonsensical_result_of_a_batch_is_a_failed_call(
    read: Callable[[Any], tuple[str, Completion | CallError]], line: Any
) -> None:
    assert isinstance(read(line)[1], CallError)


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_spoilt_results_of_a_batch_cost_only_what_was_spoilt(tmp_path: Path, protocol: str) -> None:
    def spoil(content: bytes) -> bytes:
        lines = content.splitlines()
        return b"\n".join([b"{broken", b"\xff\xfe", b"[]", lines[0], *lines[2:], lines[0]]) + b"\n"

    with batch_server(lambda kind, _body: text_reply(kind, "ok")) as server:
        server.spoil = spoil
        first = run_batch(tmp_path, server, protocol, asks(8, f"{protocol}/m"))
        server.spoil = lambda content: content
        again = run_batch(tmp_path, server, protocol, asks(8, f"{protocol}/m"))
        assert first.answered + again.answered == 8
        assert server.asked.count(max(server.asked, key=server.asked.count)) <= 4
    with Journal(tmp_path / "j.sqlite") as journal:
        assert len(journal.completed_keys()) == 8


def test_half_sent_results_of_a_batch_are_kept_and_the_rest_is_read_again(tmp_path: Path) -> None:
    with batch_server(lambda kind, _body: text_reply(kind, "ok")) as server:
        server.spoil = lambda content: content[: len(content) // 2]
        first = run_batch(tmp_path, server, "anthropic", asks(8, "anthropic/m"))
        server.spoil = lambda content: content
        run_batch(tmp_path, server, "anthropic", asks(8, "anthropic/m"))
    assert first.answered < 8
    with Journal(tmp_path / "j.sqlite") as journal:
        assert len(journal.completed_keys()) == 8
