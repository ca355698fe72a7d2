"""A problem in a release: where it is, which rule it breaks, what to do; and how many rows share it."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from schemas.printable import one_line

REBUILD = "Build or download the release again; do not edit its files."


class Problem(NamedTuple):
    """One broken rule in one file; `place` is a column, row, line or key in it."""

    file: str
    place: str
    rule: str
    action: str = REBUILD

    def __str__(self) -> str:
        where = f"{self.file}, {self.place}" if self.place else self.file
        return one_line(f"{where}: {self.rule}. {self.action}")


def spelled(value: Any) -> str:
    """A value as JSON spells it; "nothing" for null."""
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False, default=str)


def first_of(file: str, broken: Iterable[tuple[str, str]], action: str = REBUILD) -> Iterator[Problem]:
    """One problem a rule for the (place, rule) pairs of many rows: the first place, and how many more there are."""
    places: dict[str, list[str]] = {}
    for place, rule in broken:
        places.setdefault(rule, []).append(place)
    for rule, found in places.items():
        more = f" (and in {len(found) - 1} more rows)" if len(found) > 1 else ""
        yield Problem(file, found[0], rule + more, action)
