"""The journal's file: requests, every attempt at them, and annotations, in SQLite (WAL, synchronous=FULL).

A newer version adds a migration, so that every older file is read; a file from the future is refused.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

from builder.journal.body import DamagedBodyError, Read, pack, read_body
from builder.journal.scrub import scrubbed
from builder.journal.tables import MIGRATIONS, SCHEMA_VERSION
from builder.providers.secrets import known_secrets
from schemas.chat import ChatRequest, Completion, FailedAttempt
from schemas.key import key_of
from schemas.records import Annotation, ParaphraseCheck
from schemas.wire import (
    dump_annotation,
    dump_check,
    dump_completion,
    dump_failure,
    dump_request,
    load_annotation,
    load_check,
    load_completion,
    load_failure,
    load_request,
)

ROWS_AT_ONCE = 300  # three values each, and SQLite before 3.32 takes 999 in a statement


class JournalError(Exception):
    """A journal that cannot be used; the message names the file and what to do."""


def missing_journal(run: Path) -> str | None:
    """What to say of a run directory that was built in and has no journal any more; None of any other."""
    path = run / "journal.sqlite"
    traces = [name for name in ("settings.json", "release") if (run / name).exists()]
    if path.exists() or not traces:
        return None
    return f"the journal is missing: {run} holds {' and '.join(traces)}, but no {path.name}"


def open_journal(run: Path) -> "Journal":
    """The journal of a run that was built. Raises JournalError, saying what to do, if it is missing."""
    if words := missing_journal(run):
        raise JournalError(f"{words}. Put it back from a copy; build-dataset would begin anew and ask everything again")
    return Journal(run / "journal.sqlite")


class Entry(NamedTuple):
    """One attempt at one request, made by a stage."""

    stage: str
    request: ChatRequest
    result: Completion | FailedAttempt


class Row(NamedTuple):
    """An attempt as it is stored: the columns of `requests` and of `attempts`."""

    key: str
    stage: str
    request: bytes
    kind: str
    result: bytes


class Attempt(NamedTuple):
    """One attempt as recorded, in order of recording."""

    key: str
    stage: str
    model: str
    result: Completion | FailedAttempt


class Journal:
    """Append-only facts of one run. Open it with `with`; whoever writes holds the run's lock."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._secrets = known_secrets()
        with self.guarded("open"):
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._prepare()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def _prepare(self) -> None:
        (found,) = self._db.execute("PRAGMA user_version").fetchone()
        if found > SCHEMA_VERSION:
            raise JournalError(
                f"the journal {self.path} has schema {found}, this version reads up to {SCHEMA_VERSION}: "
                "update the toolkit, or give another --run directory"
            )
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        for step in range(found + 1, SCHEMA_VERSION + 1):
            self._db.executescript(f"BEGIN; {MIGRATIONS[step]} PRAGMA user_version={step}; COMMIT;")

    @property
    def database(self) -> sqlite3.Connection:
        """The open database, for the other tables of the file."""
        return self._db

    @contextmanager
    def guarded(self, verb: str) -> Iterator[None]:
        """Raise JournalError, saying what to do, for what SQLite cannot do while the block runs."""
        try:
            yield
        except sqlite3.Error as error:
            raise JournalError(f"cannot {verb} the journal {self.path}: {error}. {_advice(error)}") from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self.guarded("write"), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            yield

    def append(self, entries: Iterable[Entry]) -> None:
        """Record attempts in one durable transaction: when this returns they survive a power cut.

        A second completion of a key is dropped, so that each request keeps the first answer it got.
        Raises JournalError if the file cannot be written; then nothing of this call is recorded.
        """
        self.write([self.row(entry) for entry in entries])

    def row(self, entry: Entry) -> Row:
        """The attempt as it is stored, without the secrets it held."""
        result = scrubbed(entry.result, self._secrets)
        key, request = key_of(entry.request), pack(dump_request(entry.request))
        if isinstance(result, Completion):
            return Row(key, entry.stage, request, "completion", pack(dump_completion(result)))
        return Row(key, entry.stage, request, "failure", pack(dump_failure(result)))

    def write(self, rows: Sequence[Row]) -> None:
        """Record rows as `append` does, in few statements: each of them waits for the interpreter's lock again."""
        with self._transaction():
            for start in range(0, len(rows), ROWS_AT_ONCE):
                some = rows[start : start + ROWS_AT_ONCE]
                marks = ", ".join(["(?, ?, ?)"] * len(some))
                requests = [value for row in some for value in (row.key, row.stage, row.request)]
                self._db.execute(f"INSERT OR IGNORE INTO requests VALUES {marks}", requests)  # noqa: S608 - marks are "?"
                attempts = [value for row in some for value in (row.key, row.kind, row.result)]
                self._db.execute(f"INSERT OR IGNORE INTO attempts (key, kind, body) VALUES {marks}", attempts)  # noqa: S608 - marks are "?"

    def completed_keys(self) -> set[str]:
        """The keys of all requests that have an answer."""
        with self.guarded("read"):
            return {key for (key,) in self._db.execute("SELECT key FROM attempts WHERE kind = 'completion'")}

    def completion(self, key: str) -> Completion | None:
        """The answer to the request `key`, or None if it has none yet."""
        wanted = "SELECT body FROM attempts WHERE key = ? AND kind = 'completion'"
        with self.guarded("read"):
            found = self._db.execute(wanted, (key,)).fetchone()
        return None if found is None else self.decoded("attempts", key, found[0], load_completion)

    def attempts(self) -> Iterator[Attempt]:
        """Every attempt, oldest first."""
        for row in self.rows(
            "SELECT a.key, r.stage, r.body, a.kind, a.body FROM attempts a JOIN requests r USING (key) ORDER BY a.id"
        ):
            yield self.attempt(*row)

    def attempt(self, key: str, stage: str, request: bytes, kind: str, body: bytes) -> Attempt:
        """The attempt that stored columns stand for. Raises JournalError if a body is damaged."""
        model = self.decoded("requests", key, request, load_request).model
        return Attempt(key, stage, model, self.result(key, kind, body))

    def result(self, key: str, kind: str, body: bytes) -> Completion | FailedAttempt:
        """The result of a stored attempt. Raises JournalError if its body is damaged."""
        return self.decoded("attempts", key, body, loader(kind))

    def decoded(self, table: str, key: str, body: bytes | str, load: Callable[[str], Read]) -> Read:
        """What a stored body holds. Raises JournalError, saying which one and what to do, if it is damaged."""
        try:
            return read_body(body, load)
        except DamagedBodyError as error:
            raise JournalError(
                f"the journal {self.path} is damaged: table {table}, key {key}: {error}. Restore the file from a copy, "
                "or give another --run directory; journal-dataset check names everything that is damaged"
            ) from error

    def annotate(self, annotations: Iterable[Annotation]) -> int:
        """Record people's answers and return how many are new; one that is there to the letter is not repeated."""
        with self._transaction():
            before = self._db.total_changes
            self._db.executemany(
                "INSERT OR IGNORE INTO annotations (body) VALUES (?)",
                ((dump_annotation(annotation),) for annotation in annotations),
            )
            return self._db.total_changes - before

    def annotations(self) -> Iterator[Annotation]:
        """Every answer people gave, oldest first."""
        for row, body in self.rows("SELECT id, body FROM annotations ORDER BY id"):
            yield self.decoded("annotations", row, body, load_annotation)

    def check_paraphrases(self, checks: Iterable[ParaphraseCheck]) -> int:
        """Record what people said of paraphrases and return how many answers are new."""
        with self._transaction():
            before = self._db.total_changes
            self._db.executemany(
                "INSERT OR IGNORE INTO paraphrase_checks (body) VALUES (?)", ((dump_check(check),) for check in checks)
            )
            return self._db.total_changes - before

    def paraphrase_checks(self) -> Iterator[ParaphraseCheck]:
        """Every answer people gave about a paraphrase, oldest first."""
        for row, body in self.rows("SELECT id, body FROM paraphrase_checks ORDER BY id"):
            yield self.decoded("paraphrase_checks", row, body, load_check)

    def rows(self, query: str) -> Iterator[Any]:
        """The rows that a query finds. Raises JournalError if the file cannot be read."""
        with self.guarded("read"):
            yield from self._db.execute(query)


def loader(kind: str) -> Callable[[str], Completion | FailedAttempt]:
    """What reads a stored result of the kind."""
    return load_completion if kind == "completion" else load_failure


def _advice(error: sqlite3.Error) -> str:
    text = str(error)
    if "full" in text:
        return "The disk is full: free some space and run again; nothing recorded before is lost."
    if "readonly" in text or "unable to open" in text:
        return "Check that the run directory can be written, or give another --run directory."
    if "disk I/O" in text:
        return "The disk is full, over quota or failing; nothing recorded before is lost: make room and run again."
    if "not a database" in text or "malformed" in text:
        return "The file is damaged: restore it from a copy, or give another --run directory."
    return "Nothing recorded before is lost; run again."
