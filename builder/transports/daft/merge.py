"""From the workers' files into the run's journal: what a run that died left there is on record again."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from builder.journal.store import Entry, Journal
from builder.transports.daft.crew import store_place
from builder.transports.daft.rows import entry_of
from builder.transports.daft.store import AttemptStore
from schemas.chat import Completion, FailedAttempt
from schemas.config import BuildConfig

GROUP = 500


def take_over(config: BuildConfig, run: Path, journal: Journal) -> int:
    """Record what workers of an earlier run left in its store, if there is one; returns how many attempts.

    It goes so with every transport, so that a run may go on by another.
    """
    store = _store_of(config, run)
    return 0 if store is None else merge(store, journal)


@contextmanager
def with_leftovers(config: BuildConfig, run: Path, journal: Journal | None) -> Iterator[Journal | None]:
    """The journal, or a copy for the time of the block with what `take_over` would add; nothing is written to the run.

    Raises StoreError if the store cannot be read.
    """
    store = _store_of(config, run)
    completed = set() if journal is None else journal.completed_keys()
    if store is None or not _has_more(store, completed):
        yield journal
        return
    with TemporaryDirectory() as folder, Journal(Path(folder) / "journal.sqlite") as copy:
        if journal is not None:
            journal.database.backup(copy.database)
        merge(store, copy)
        yield copy


def _store_of(config: BuildConfig, run: Path) -> AttemptStore | None:
    place = store_place(config, run)
    return AttemptStore(place) if config.store is not None or Path(place).is_dir() else None


def merge(store: AttemptStore, journal: Journal) -> int:
    """Record the attempts that the journal lacks, in the order they ended; returns how many.

    A key that has an answer keeps it; of several new ones the first is recorded. Doing it again records nothing.
    Raises StoreError or JournalError if a file cannot be read or written.
    """
    fresh = {row["attempt"]: row for row in _unknown(store, journal.completed_keys())}
    entries = [entry_of(fresh[attempt]) for attempt in sorted(fresh)]
    new = list(_without_recorded(entries, journal))
    for start in range(0, len(new), GROUP):
        journal.append(new[start : start + GROUP])
    return len(new)


def _has_more(store: AttemptStore, completed: set[str]) -> bool:
    tables = (store.read(name, ["key", "outcome"]) for stage in store.stages() for name in store.names(stage))
    answered = (row["key"] for table in tables for row in table.to_pylist() if row["outcome"] is not None)
    return any(key not in completed for key in answered)


def _unknown(store: AttemptStore, completed: set[str]) -> list[dict[str, Any]]:
    """Rows of failures, and of answers to keys that have none."""
    found: list[dict[str, Any]] = []
    for stage in store.stages():
        for name in store.names(stage):
            slim = store.read(name, ["key", "outcome"]).to_pylist()
            wanted = [place for place, row in enumerate(slim) if row["outcome"] is None or row["key"] not in completed]
            if wanted:
                found.extend(store.read(name).take(wanted).to_pylist())
    return found


def _without_recorded(entries: list[Entry], journal: Journal) -> list[Entry]:
    recorded: Counter[FailedAttempt] = Counter()
    if any(isinstance(entry.result, FailedAttempt) for entry in entries):
        recorded.update(a.result for a in journal.attempts() if isinstance(a.result, FailedAttempt))
    answered: set[str] = set()
    new = []
    for entry in entries:
        result = entry.result
        if isinstance(result, Completion):
            if result.key in answered:
                continue
            answered.add(result.key)
        elif recorded[result] > 0:
            recorded[result] -= 1
            continue
        new.append(entry)
    return new
