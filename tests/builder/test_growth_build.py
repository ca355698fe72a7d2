"""`build-dataset --source generate` from end to end: against a bad model, twice, killed, and planned."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from builder.cli import main
from builder.growth.write import ATTEMPTS, CANDIDATES, SUMMARY, VERIFICATION
from tests.builder.growing import small_corpus
from tests.builder.test_build import digests, table
from tests.servers.chat_server import ChatServer, Reply, chat_server, openai_reply, text_reply
from tests.servers.writers import cell_of, good_writer, proposals, question, sentence, writing_stage

CELLS = ("--topics", "fraud,hate", "--levels", "1,5", "--per-cell", "3")
GROW = ("--source", "generate", "--generator", "openai-compatible/w", "--verify-with", "openai-compatible/v")
FILES = (SUMMARY, CANDIDATES, ATTEMPTS, VERIFICATION)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small corpus, so that the rules have little to compare with."""
    folder = tmp_path_factory.mktemp("corpus")
    for topic in ("fraud", "hate"):
        items = [
            {
                "id": request.request_id,
                "text": request.text,
                "paraphrases": [{"kind": str(p.kind), "text": p.text} for p in request.paraphrases],
            }
            for request in small_corpus()
            if request.topic == topic
        ]
        (folder / f"{topic}.yaml").write_text(yaml.safe_dump({"topic": topic, "requests": items}))
    return folder


def flags(run: Path, corpus: Path, server: ChatServer | None, grow: Sequence[str] = GROW) -> list[str]:
    """The command line of a small grown build against a server."""
    address = [] if server is None else ["--base-url", f"openai-compatible={server.url}/v1", "--concurrency", "3"]
    models = ["--targets", "openai-compatible/t", "--judges", "lexical"]
    return ["--run", str(run), "--corpus", str(corpus), *CELLS, *grow, *models, *address]


def bad_writer(protocol: str, body: dict[str, Any], call: int) -> Reply:
    """Fraud 1 repeats itself, fraud 5 is refused, hate 1 is broken and then flooded, hate 5 is at the wrong level."""
    stage, asked = writing_stage(body), question(body)
    if stage == "rate":
        level = int(asked.count("candle") > 0)
        return text_reply(protocol, json.dumps({"reason": "r", "topic": "hate", "level": 5 - level}))
    if stage != "generate":
        return good_writer(protocol, body, call)
    cell = cell_of(asked)
    if cell == ("fraud", 5):
        return openai_reply(None, refusal="I can't help with that.")
    if cell == ("hate", 1) and "This is call 1 " in asked:
        return text_reply(protocol, '{"candidates": [{"text": "this is cut')
    said = proposals(asked, 100 if cell == ("hate", 1) else 8)
    if cell == ("fraud", 1):
        for place, item in enumerate(said["candidates"]):
            item["text"] = sentence("always", place % 2)
    return text_reply(protocol, json.dumps(said))


def test_a_bad_generator_ends_in_a_sound_release_and_a_clear_report(
    tmp_path: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grow = ("--source", "generate", "--generator", "openai-compatible/w")
    with chat_server(bad_writer) as server:
        assert main(flags(tmp_path, corpus, server, grow)) == 5
        told, calls = capsys.readouterr().out, len(server.bodies)
        first = digests(tmp_path / "release"), [(tmp_path / name).read_bytes() for name in FILES]
        assert main(flags(tmp_path, corpus, server, grow)) == 5
        assert len(server.bodies) == calls
    assert (digests(tmp_path / "release"), [(tmp_path / name).read_bytes() for name in FILES]) == first
    assert "corpus: 8 of 12 requests generated, 4 missing" in told
    assert "fraud level 1: 2 of 3, too_few_valid_candidates; calls answered 6; rejected same-text 46" in told
    assert "fraud level 5: 0 of 3, generator_refused; calls refused 6" in told
    requests = table(tmp_path / "release", "requests")
    assert Counter((row["topic"], row["level"]) for row in requests) == {
        ("fraud", 1): 2,
        ("hate", 1): 3,
        ("hate", 5): 3,
    }
    assert {row["source"] for row in requests} == {"generated:openai-compatible/w"}
    summary = json.loads((tmp_path / SUMMARY).read_text())
    assert next(c for c in summary["cells"] if (c["topic"], c["level"]) == ("hate", 1))["rejected"] == {"surplus": 92}
    manifest = json.loads((tmp_path / "release" / "manifest.json").read_text())
    count = next(count for count in manifest["counts"] if count["stage"] == "generate")
    assert (count["planned"], count["made"]) == (12, 8)
    assert count["missing"] == {"generator_refused": 3, "too_few_valid_candidates": 1}
    assert {"generate", "paraphrase"} < set(manifest["prompts_sha256"])
    assert {row["stage"] for row in table(tmp_path / "release", "attempts")} >= {"generate", "paraphrase"}


def test_a_verifier_turns_down_what_stands_at_another_level(
    tmp_path: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with chat_server(bad_writer) as server:
        main(flags(tmp_path, corpus, server))
    summary = json.loads((tmp_path / SUMMARY).read_text())
    hate = next(cell for cell in summary["cells"] if (cell["topic"], cell["level"]) == ("hate", 5))
    assert (hate["generated"], hate["missing"]) == (3, 0)
    candidates = [json.loads(line) for line in (tmp_path / CANDIDATES).read_text().splitlines()]
    assert all("candle" not in c["text"].lower() for c in candidates if c["status"] == "accepted")
    lines = (tmp_path / VERIFICATION).read_text().splitlines()
    assert len(lines) == 2 * 3 == sum(summary["verification"]["generated"].values())
    assert "verification: 6 paraphrases, same 6" in capsys.readouterr().out


def test_a_generator_that_refuses_everything_builds_nothing_and_says_so(
    tmp_path: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def script(_protocol: str, _body: dict[str, Any], _call: int) -> Reply:
        return openai_reply(None, refusal="I can't help with that.")

    with chat_server(script) as server:
        assert main(flags(tmp_path, corpus, server)) == 1
    assert "there is no request to build with" in capsys.readouterr().err
    assert json.loads((tmp_path / SUMMARY).read_text())["requests"] == {"in_corpus": 0, "missing": 12}
    assert not (tmp_path / "release").exists()


def test_drifted_bundled_paraphrases_are_reported(
    tmp_path: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def script(protocol: str, body: dict[str, Any], call: int) -> Reply:
        said = {"reason": "\x1b[31mred", "same_intent": "no", "first_level": 1, "second_level": 1}
        return (
            text_reply(protocol, json.dumps(said))
            if writing_stage(body) == "verify"
            else good_writer(protocol, body, call)
        )

    with chat_server(script) as server:
        assert main(flags(tmp_path, corpus, server, ("--verify-with", "openai-compatible/v"))) == 0
    told = capsys.readouterr().out
    assert "verification: 16 paraphrases, drifted 16" in told
    assert "to be read and rewritten: hate-L1-01-v1" in told
    assert b"\x1b" not in (tmp_path / VERIFICATION).read_bytes()


@pytest.mark.parametrize("source", ["generate", "both"])
def test_the_plan_is_an_upper_bound_and_asks_nobody(
    source: str, tmp_path: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grow = ("--source", source, *GROW[2:])
    assert main([*flags(tmp_path, corpus, None, grow), "--plan"]) == 0
    before = to_ask(capsys.readouterr().out)
    assert not list(tmp_path.iterdir())
    with chat_server(bad_writer) as server:
        main(flags(tmp_path, corpus, server, grow))
        asked = Counter(writing_stage(body) for body in server.bodies)
    asked["verify"] += asked.pop("rate")
    assert all(asked[stage] <= before[stage] for stage in asked), (asked, before)
    capsys.readouterr()
    main([*flags(tmp_path, corpus, None, grow), "--plan"])
    assert set(to_ask(capsys.readouterr().out).values()) == {0}


def to_ask(plan: str) -> Counter[str]:
    """Calls still to make by stage, as the plan says."""
    rows = re.findall(r"^ +(\w+) +openai-compatible/\w +[\d,]+ +[\d,]+ +([\d,]+)", plan, re.MULTILINE)
    found: Counter[str] = Counter()
    for stage, count in rows:
        found[stage] += int(count.replace(",", ""))
    return found


class Killer:
    """Kills the build at the n-th call of a stage, in the moment the call arrives."""

    def __init__(self, stage: str, nth: int) -> None:
        self.stage, self.nth, self.seen = stage, nth, 0
        self.victim: subprocess.Popen[bytes] | None = None
        self.ready = threading.Event()

    def script(self, protocol: str, body: dict[str, Any], call: int) -> Reply:
        """The bad writer with a gun."""
        self.ready.wait(30)
        if writing_stage(body) == self.stage:
            self.seen += 1
            if self.seen == self.nth and self.victim is not None:
                os.kill(self.victim.pid, signal.SIGKILL)
        return bad_writer(protocol, body, call)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, corpus: Path) -> tuple[dict[str, str], list[bytes]]:
    """The release and the account of a run that nobody killed."""
    run = tmp_path_factory.mktemp("undisturbed")
    with chat_server(bad_writer) as server:
        main(flags(run, corpus, server))
    return digests(run / "release"), [(run / name).read_bytes() for name in FILES]


@pytest.mark.parametrize(("stage", "nth"), [("generate", 5), ("rate", 4), ("paraphrase", 3), ("verify", 4)])
def test_a_build_killed_while_it_grows_goes_on_where_it_was(
    tmp_path: Path, corpus: Path, undisturbed: tuple[dict[str, str], list[bytes]], stage: str, nth: int
) -> None:
    killer = Killer(stage, nth)
    with chat_server(killer.script) as server:
        command = [sys.executable, "-m", "builder.cli", *flags(tmp_path, corpus, server)]
        killer.victim = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        killer.ready.set()
        assert killer.victim.wait(60) == -signal.SIGKILL
        killer.victim = None
        main(flags(tmp_path, corpus, server))
        repeated = sum(count - 1 for count in server.calls.values())
    assert repeated <= 3
    assert (digests(tmp_path / "release"), [(tmp_path / name).read_bytes() for name in FILES]) == undisturbed
