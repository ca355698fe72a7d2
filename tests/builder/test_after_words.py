"""What a build says before it asks and after it ended in trouble: why, and what helps."""

import json
from pathlib import Path
from typing import Any

import pytest

from builder.cli import main
from builder.evaluate_cli import main as evaluate
from tests.builder.test_evaluate import gold
from tests.servers.chat_server import Reply, Script, chat_server
from tests.servers.models import well_behaved

SLICE = ("--topics", "fraud", "--levels", "1", "--per-cell", "1", "--judges", "lexical")
TARGET = ("--targets", "openai-compatible/m")


def built(run: Path, script: Script, *flags: str, at: str = "/v1") -> tuple[int, int]:
    """A small build against a server; its exit status, and how many calls the server got."""
    with chat_server(script) as server:
        url = f"openai-compatible={server.url}{at}"
        status = main([*SLICE, *TARGET, "--base-url", url, "--run", str(run), *flags])
        return status, len(server.bodies)


@pytest.mark.parametrize("at", ["", "/", "/v1", "/v1/"])
def test_an_address_is_met_with_and_without_a_path(tmp_path: Path, at: str) -> None:
    assert built(tmp_path, well_behaved, at=at) == (0, 6)


def test_why_requests_were_rejected_is_told_and_what_helps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = Reply({"error": {"message": "context length\nexceeded"}}, 400)
    assert built(tmp_path, lambda _protocol, _body, _n: bad) == (3, 6)
    told = capsys.readouterr().out
    assert "3 × rejected: context length exceeded" in told
    assert "put right what is said of them above, then run the same command again" in told


def test_who_is_given_up_is_said_at_once_and_asked_no_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    later = Reply({"error": {"message": "no"}}, 429, {"retry-after": "2000"})
    status, calls = built(tmp_path, lambda _protocol, _body, _n: later)
    told = capsys.readouterr()
    assert (status, calls) == (3, 3)
    assert "openai-compatible/m was given up: rate_limited: it asks to wait 33 minutes" in told.err
    assert "run the same command again (run directory" in told.out


def test_another_model_that_answered_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def script(protocol: str, body: dict[str, Any], call: int) -> Reply:
        reply = well_behaved(protocol, body, call)
        return Reply(reply.body | {"model": "somebody-else"})

    assert built(tmp_path, script)[0] == 0
    assert "served by    not the model that was asked: somebody-else" in capsys.readouterr().out


def test_a_directory_in_the_release_s_place_is_found_before_anything_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "release").mkdir()
    (tmp_path / "release" / "mine.txt").write_text("mine")
    assert built(tmp_path, well_behaved) == (1, 0)
    assert "exists and is no release" in capsys.readouterr().err
    assert (tmp_path / "release" / "mine.txt").read_text() == "mine"


def test_an_api_of_a_model_nobody_asks_is_a_slip_of_the_pen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert built(tmp_path, well_behaved, "--api", "openai-compatible/n=responses") == (2, 0)
    assert "--api openai-compatible/n=responses: no such model is asked here" in capsys.readouterr().err


@pytest.mark.parametrize("at", ["", "/v1", "/v1/"])
def test_the_address_of_an_anthropic_server_may_end_in_v1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-key")
    log = tmp_path / "log.jsonl"
    with chat_server(well_behaved) as server:
        flags = ["--targets", "anthropic/m", "--base-url", f"anthropic={server.url}{at}", "--json-log", str(log)]
        assert main([*SLICE, *flags, "--run", str(tmp_path / "run")]) == 0
        assert set(server.paths) == {"/v1/messages"}
    assert {json.loads(line)["event"] for line in log.read_text().splitlines()} == {"begin", "answer", "end"}


def test_a_judge_whose_every_call_fails_writes_no_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    bad = Reply({"error": {"message": "boom"}}, 401)
    with chat_server(lambda _protocol, _body, _n: bad) as server:
        flags = ["--judge", "openai/m", "--gold", str(gold(tmp_path / "gold.jsonl", 3)), "--run", str(tmp_path / "run")]
        address = f"openai={server.url}/v1"
        assert evaluate([*flags, "--base-url", address, "--json", str(tmp_path / "keep.json")]) == 3
    assert "openai/m was given up: auth: boom" in capsys.readouterr().err
    assert not (tmp_path / "keep.json").exists()
