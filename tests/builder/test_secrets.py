"""API keys reach no file, no log, no error and no release: not when all goes well, not when a server echoes them."""

import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from builder.cli import main
from builder.journal.export import export
from builder.journal.scrub import scrubbed
from builder.journal.store import Journal
from builder.providers.protocol import CallError
from builder.providers.secrets import KEY_VARIABLES, MARK, OTHER_SECRETS, known_secrets, without_secrets
from schemas.chat import Completion, FailedAttempt
from schemas.vocabulary import Outcome
from tests.servers.chat_server import ChatServer, Reply, chat_server
from tests.servers.echo import key_of_call, told, traces
from tests.servers.models import stage_of, well_behaved

KEYS = {name: f"Zq{secrets.token_hex(16)}" for name in (*KEY_VARIABLES.values(), *OTHER_SECRETS)}
TARGETS = "openai-compatible/m,anthropic/m,openai/m,together/m,openrouter/m"
JUDGES = "lexical,openai-compatible/j,anthropic/j"
Answer = Callable[[str, str, dict[str, Any]], Reply]


class EchoServer(ChatServer):
    """Answers by a function of the key that a call came with."""

    reply: Answer

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """One call."""
        secret = key_of_call(request)
        self.script = lambda protocol, body, _call: self.reply(secret, protocol, body)
        return await super().answer(request)


@contextmanager
def echo_server(reply: Answer) -> Iterator[EchoServer]:
    """Serve while the block runs."""
    server = EchoServer(lambda _protocol, _body, _call: Reply())
    server.reply = reply
    with chat_server(server.script, server):
        yield server


def command(run: Path, server: ChatServer, *flags: str) -> list[str]:
    """A small build whose five targets have five different keys."""
    places = [f"{provider}={server.url}/v1" for provider in KEY_VARIABLES if provider != "anthropic"]
    addresses = [part for place in (*places, f"anthropic={server.url}") for part in ("--base-url", place)]
    cells = ["--topics", "weapons", "--levels", "1", "--per-cell", "1"]
    return [
        *(sys.executable, "-X", "faulthandler", "-m", "builder.cli", "--run", str(run / "run"), *cells),
        *("--targets", TARGETS, "--judges", JUDGES, "--concurrency", "2", *addresses, *flags),
    ]


def run(place: Path, server: ChatServer, *flags: str) -> int:
    """The status of a build whose whole output is kept beside its run directory."""
    with (place / "output.txt").open("wb") as output:
        done = subprocess.run(
            command(place, server, *flags), env=os.environ | KEYS, stdout=output, stderr=output, check=False
        )
    return done.returncode


def friendly(secret: str, protocol: str, body: dict[str, Any]) -> Reply:
    return told(well_behaved(protocol, body, 1), secret)


def unfriendly(secret: str, protocol: str, body: dict[str, Any]) -> Reply:
    if stage_of(body) == "predict":
        return well_behaved(protocol, body, 1)
    return Reply({"error": {"message": f"the key {secret} is wrong", "code": secret, "type": secret}}, 401)


def odd(secret: str, _protocol: str, _body: dict[str, Any]) -> Reply:
    return Reply({"error": {"message": f"invalid argument {secret}", "code": 400}})


@pytest.mark.parametrize(("reply", "status"), [(friendly, 0), (unfriendly, 3), (odd, 3)])
def test_a_server_that_echoes_keys_finds_no_repeater(tmp_path: Path, reply: Answer, status: int) -> None:
    with echo_server(reply) as server:
        assert run(tmp_path, server) == status, (tmp_path / "output.txt").read_text()
        assert {key_of_call_in(headers) for headers in server.headers} == {KEYS[n] for n in KEY_VARIABLES.values()}
    with Journal(tmp_path / "run" / "journal.sqlite") as journal:
        assert export(journal, tmp_path / "calls.parquet") == export(journal, tmp_path / "calls.jsonl") > 0
    assert traces([tmp_path], list(KEYS.values())) == []
    assert (MARK in (tmp_path / "calls.jsonl").read_text()) is True


def key_of_call_in(headers: dict[str, str]) -> str:
    """The API key among the headers of a call."""
    found = {name.lower(): value for name, value in headers.items()}
    return found.get("x-api-key") or found["authorization"].removeprefix("Bearer ")


def test_a_crash_tells_no_key(tmp_path: Path) -> None:
    victim: list[subprocess.Popen[bytes]] = []

    def deadly(secret: str, protocol: str, body: dict[str, Any]) -> Reply:
        if stage_of(body) == "respond":
            os.kill(victim[0].pid, signal.SIGABRT)
        return friendly(secret, protocol, body)

    with echo_server(deadly) as server, (tmp_path / "output.txt").open("wb") as output:
        line = command(tmp_path, server)
        victim.append(subprocess.Popen(line, env=os.environ | KEYS, stdout=output, stderr=output))
        assert victim[0].wait(120) == -signal.SIGABRT
    assert "Fatal Python error" in (tmp_path / "output.txt").read_text()
    assert traces([tmp_path], list(KEYS.values())) == []


def test_the_longest_key_is_removed_first_and_placeholders_are_words() -> None:
    environment = {"OPENAI_API_KEY": "abcdefgh", "HF_TOKEN": "abcdefgh-ijk", "OPENAI_COMPATIBLE_API_KEY": "none"}
    held = known_secrets(environment)
    assert held == ("abcdefgh-ijk", "abcdefgh")
    answer = Completion("k", Outcome.TEXT, "none of abcdefgh-ijk and abcdefgh", served_model="m")
    cleaned = scrubbed(answer, held)
    assert isinstance(cleaned, Completion)
    assert (cleaned.text, cleaned.secret_removed) == (f"none of {MARK} and {MARK}", True)
    assert scrubbed(Completion("k", Outcome.TEXT, "fine"), held).secret_removed is None  # type: ignore[union-attr]
    assert scrubbed(FailedAttempt("k", "auth", "abcdefgh"), held) == FailedAttempt("k", "auth", MARK)


def test_no_error_of_a_call_holds_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOGETHER_API_KEY", "abcdefgh")
    error = CallError("server", "no abcdefgh here")
    assert (error.message, str(error)) == (f"no {MARK} here", f"no {MARK} here")


@pytest.mark.parametrize(
    "address", ["https://me:PLANTED@host/v1", "https://host/v1?api-key=PLANTED", "http://h#PLANTED"]
)
def test_an_address_with_a_secret_is_refused_and_reaches_no_file(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    models = ["--targets", "openai-compatible/m", "--judges", "lexical", "--run", str(tmp_path / "run")]
    assert main([*models, "--base-url", f"openai-compatible={address}", "--json-log", str(tmp_path / "log")]) == 2
    told = capsys.readouterr().err
    assert told.startswith("build-dataset: --base-url: openai-compatible: the address ")
    assert "set the environment variable OPENAI_COMPATIBLE_API_KEY" in told
    assert "PLANTED" not in told
    assert traces([tmp_path], ["PLANTED"]) == []
    (tmp_path / "c.toml").write_text(f'base_url.openai-compatible = "{address}"\n')
    assert main([*models, "--config", str(tmp_path / "c.toml")]) == 2
    assert "PLANTED" not in capsys.readouterr().err


@pytest.mark.parametrize("before", ["x-api-key: ", "Authorization: Bearer ", "?api_key="])
def test_a_mark_is_not_taken_for_a_secret(before: str) -> None:
    environment = {"OPENAI_API_KEY": "a-key-of-many-letters"}
    once = without_secrets(f"{before}a-key-of-many-letters, said twice", environment)
    assert once == without_secrets(once, environment) == f"{before}[secret removed], said twice"
