"""What is wrong with a journal's file."""

from collections.abc import Iterator

from builder.journal.body import DamagedBodyError, read_body
from builder.journal.store import Journal, loader
from schemas.key import key_of
from schemas.wire import load_request


def problems_of(journal: Journal) -> list[str]:
    """What is wrong with the file: by SQLite's own check, damaged bodies, requests whose key is not their hash.

    Raises JournalError if it cannot be read at all.
    """
    found = [str(row[0]) for row in journal.rows("PRAGMA integrity_check") if row[0] != "ok"]
    return [*found, *_wrong_requests(journal), *_damaged_attempts(journal)]


def _wrong_requests(journal: Journal) -> Iterator[str]:
    for key, body in journal.rows("SELECT key, body FROM requests"):
        try:
            right = key_of(read_body(body, load_request)) == key
        except DamagedBodyError as error:
            yield f"request {key}: {error}"
            continue
        if not right:
            yield f"request {key}: its content has another hash; it was changed outside this toolkit"


def _damaged_attempts(journal: Journal) -> Iterator[str]:
    for key, kind, body in journal.rows("SELECT key, kind, body FROM attempts ORDER BY id"):
        try:
            read_body(body, loader(kind))
        except DamagedBodyError as error:
            yield f"attempt at {key}: {error}"
