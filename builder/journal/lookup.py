"""What the journal holds of many keys at once: one question to the database for hundreds of them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from builder.journal.store import Attempt, Journal
from schemas.chat import Completion, FailedAttempt

AT_ONCE = 500
Result = Completion | FailedAttempt


def results_of(journal: Journal, keys: Iterable[str]) -> dict[str, list[Result]]:
    """Every attempt at each of the keys that has any, oldest first. Raises JournalError if it cannot be read."""
    found: dict[str, list[Result]] = {}
    for some in _groups(keys):
        marks = ", ".join("?" * len(some))
        wanted = f"SELECT key, kind, body FROM attempts WHERE key IN ({marks}) ORDER BY id"  # noqa: S608 - marks are "?"
        with journal.guarded("read"):
            rows = journal.database.execute(wanted, some).fetchall()
        for key, kind, body in rows:
            found.setdefault(key, []).append(journal.result(key, kind, body))
    return found


def attempts_of(journal: Journal, keys: Iterable[str]) -> list[Attempt]:
    """Every attempt at the keys with its stage and model, in no particular order but oldest first for each key.

    Raises JournalError if it cannot be read.
    """
    found = []
    for some in _groups(keys):
        marks = ", ".join("?" * len(some))
        wanted = (
            "SELECT a.key, r.stage, r.body, a.kind, a.body FROM attempts a JOIN requests r USING (key) "  # noqa: S608 - marks are "?"
            f"WHERE a.key IN ({marks}) ORDER BY a.id"
        )
        with journal.guarded("read"):
            rows = journal.database.execute(wanted, some).fetchall()
        found += [journal.attempt(*row) for row in rows]
    return found


def completion_in(results: Iterable[Result]) -> Completion | None:
    """The answer among the attempts at one key, if there is one."""
    return next((result for result in results if isinstance(result, Completion)), None)


def _groups(keys: Iterable[str]) -> Iterator[Sequence[str]]:
    left = iter(keys)
    while some := list(islice(left, AT_ONCE)):
        yield some
