"""The journal: append-only, durable, one writer, clear about what it cannot do."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from builder.journal.integrity import problems_of
from builder.journal.lock import RunLockedError, run_lock
from builder.journal.store import Entry, Journal, JournalError
from builder.journal.tables import SCHEMA_VERSION
from builder.journal.writer import JournalWriter
from schemas.chat import ChatRequest, Completion, FailedAttempt, Message, Usage
from schemas.key import key_of
from schemas.records import Annotation
from schemas.vocabulary import Outcome, RefusalLabel

REQUEST = ChatRequest("scripted/m", (Message("user", "u\x00 \U0001f600 ‮"),), temperature=0.0)
KEY = key_of(REQUEST)
ANSWER = Completion(KEY, Outcome.TRUNCATED, "a\x00\ud800", "length", "m", usage=Usage(1, 2), latency_s=0.1)


def test_what_was_recorded_comes_back_whole_in_another_process(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.sqlite") as journal:
        journal.append([Entry("respond", REQUEST, ANSWER)])
    with Journal(tmp_path / "j.sqlite") as journal:
        assert journal.completion(KEY) == ANSWER
        assert [attempt.stage for attempt in journal.attempts()] == ["respond"]
        assert problems_of(journal) == []


def test_the_first_answer_stays(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.sqlite") as journal:
        journal.append([Entry("respond", REQUEST, ANSWER)])
        journal.append([Entry("respond", REQUEST, Completion(KEY, Outcome.TEXT, "other"))])
        assert journal.completion(KEY) == ANSWER


def test_failures_are_kept_and_are_no_answer(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.sqlite") as journal:
        journal.append([Entry("respond", REQUEST, FailedAttempt(KEY, "server", "no", 500))] * 2)
        assert journal.completion(KEY) is None
        assert len(list(journal.attempts())) == 2


def test_an_answer_survives_a_kill_right_after_it_was_recorded(tmp_path: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from tests.builder.test_journal import *;"
        "j = Journal(Path(sys.argv[1])); j.append([Entry('respond', REQUEST, ANSWER)]); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "j.sqlite")], check=False)
    with Journal(tmp_path / "j.sqlite") as journal:
        assert journal.completion(KEY) == ANSWER


def test_a_journal_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    database.close()
    with pytest.raises(JournalError, match="update the toolkit"):
        Journal(path)


def test_a_file_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    path.write_bytes(b"not a database, but long enough to have a header of its own" * 20)
    with pytest.raises(JournalError, match="damaged"):
        Journal(path)


def test_a_missing_directory_is_said(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="can be written"):
        Journal(tmp_path / "nowhere" / "j.sqlite")


def test_a_request_changed_behind_our_back_is_found(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with Journal(path) as journal:
        journal.append([Entry("respond", REQUEST, ANSWER)])
    with sqlite3.connect(path) as database:
        database.execute("UPDATE requests SET key = 'x'")
    database.close()
    with Journal(path) as journal:
        assert problems_of(journal) == ["request x: its content has another hash; it was changed outside this toolkit"]


def test_many_tasks_commit_in_groups_and_each_waits_for_its_own(tmp_path: Path) -> None:
    requests = [ChatRequest("scripted/m", (Message("user", str(n)),)) for n in range(300)]

    async def record(journal: Journal) -> None:
        async with JournalWriter(journal) as writer:

            async def one(request: ChatRequest) -> bool:
                await writer.record(Entry("respond", request, Completion(key_of(request), Outcome.TEXT, "x")))
                return journal.completion(key_of(request)) is not None

            assert all(await asyncio.gather(*(one(request) for request in requests)))

    with Journal(tmp_path / "j.sqlite") as journal:
        asyncio.run(record(journal))
        assert len(journal.completed_keys()) == 300


def test_a_write_that_fails_reaches_the_task_that_waits(tmp_path: Path) -> None:
    async def record(journal: Journal) -> None:
        async with JournalWriter(journal) as writer:
            journal.__exit__()
            await writer.record(Entry("respond", REQUEST, ANSWER))

    with Journal(tmp_path / "j.sqlite") as journal, pytest.raises(JournalError):
        asyncio.run(record(journal))


def test_one_run_directory_has_one_writer(tmp_path: Path) -> None:
    with run_lock(tmp_path), pytest.raises(RunLockedError, match=f"process {os.getpid()}"), run_lock(tmp_path):
        pass
    with run_lock(tmp_path):
        pass


def annotation(label: RefusalLabel, at: str = "2026-01-01T00:00:00Z") -> Annotation:
    return Annotation(KEY, "ann1", "submitted", label, 4, None, "1.0", at)


def test_an_answer_of_a_person_is_recorded_once_and_a_changed_one_again(tmp_path: Path) -> None:
    first = annotation(RefusalLabel.FULL_REFUSAL)
    changed = annotation(RefusalLabel.PARTIAL_REFUSAL, "2026-01-02T00:00:00Z")
    with Journal(tmp_path / "j.sqlite") as journal:
        assert journal.annotate([first, first]) == 1
        assert journal.annotate([first, changed]) == 1
        assert list(journal.annotations()) == [first, changed]
