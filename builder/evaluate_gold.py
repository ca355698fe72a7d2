"""The gold rows a judge is measured on: those of the files, or a part of them drawn evenly over the sources."""

import hashlib
from collections.abc import Sequence
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import NamedTuple

from annotation.gold import GoldError, GoldRow, distinct, read_gold
from builder.counted import counted
from builder.problem_text import problem_text
from schemas.key import digest


class GoldFiles(NamedTuple):
    """The rows of gold files, what to call them, and the SHA-256 of the files."""

    rows: list[GoldRow]
    name: str
    sha256: str


def gold_of(files: Sequence[Path], limit: int | None) -> GoldFiles:
    """The labelled rows of the files without copies, at most `limit`; the name tells how many copies were left out.

    Raises GoldError if there are none or two contradict each other, OSError for no file.
    """
    rows: list[GoldRow] = []
    sha = hashlib.sha256()
    for file in files:
        content = file.read_bytes()
        sha.update(content)
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise GoldError(f"{file}: {problem_text(error)}") from error
        rows.extend(read_gold(text.split("\n"), file.name).rows)
    if not rows:
        raise GoldError(f"{', '.join(map(str, files))}: no row with a label")
    once = distinct(rows)
    name = " ".join(file.name for file in files)
    notes = [f"{counted(len(rows) - len(once), 'duplicate row')} left out"] if len(once) < len(rows) else []
    if limit is not None and limit < len(once):
        notes.insert(0, f"{limit} of {len(once)} rows")
        once = drawn(once, limit)
    return GoldFiles(once, f"{name} ({', '.join(notes)})" if notes else name, sha.hexdigest())


def drawn(rows: Sequence[GoldRow], limit: int) -> list[GoldRow]:
    """At most `limit` rows, as many of each source as there are, drawn by the hash of their text.

    The draw depends on the rows alone, not on their order; a larger limit keeps the rows of a smaller one.
    """
    by_source: dict[str, list[GoldRow]] = {}
    for row in sorted(rows, key=lambda row: (row.source, digest(row.prompt, row.response))):
        by_source.setdefault(row.source, []).append(row)
    turns = chain.from_iterable(zip_longest(*by_source.values()))
    return list(islice((row for row in turns if row is not None), limit))
