"""A problem in a release: where it is, which rule it breaks, what to do; and how many rows share it."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
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


class Broken(NamedTuple):
    """A rule that a row breaks (rows count from 1), in one column or, if that is empty, as a whole."""

    row: int
    column: str
    rule: str


class Check(NamedTuple):
    """One check of one file: what it finds is told once a rule."""

    file: str
    broken: Iterable[Broken]
    action: str = REBUILD


@dataclass(slots=True)
class _Told:
    file: str
    action: str
    first: Broken
    count: int = 1


class Collected:
    """Problems of tables that are checked in parts, as if they had been checked at once: one a check and rule."""

    def __init__(self) -> None:
        self._checks: list[dict[str, _Told]] = []

    def add(self, checks: Iterable[Check]) -> None:
        """Run the checks of a part; those of every part must be the same, in the same order."""
        for number, check in enumerate(checks):
            if number == len(self._checks):
                self._checks.append({})
            told = self._checks[number]
            for broken in check.broken:
                known = told.get(broken.rule)
                if known is None:
                    told[broken.rule] = _Told(check.file, check.action, broken)
                else:
                    known.count += 1
                    if broken.row < known.first.row:
                        known.first = broken

    def problems(self) -> Iterator[Problem]:
        """One problem a rule, in order of checks and rows: the first place, and how many more there are."""
        for told in self._checks:
            for rule, found in sorted(told.items(), key=lambda item: item[1].first.row):
                column, row = found.first.column, f"row {found.first.row}"
                more = f" (and in {found.count - 1} more rows)" if found.count > 1 else ""
                place = f"column {column}, {row}" if column else row
                yield Problem(found.file, place, rule + more, found.action)


def spelled(value: Any) -> str:
    """A value as JSON spells it; "nothing" for null."""
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False, default=str)


def problems_of(*checks: Check) -> list[Problem]:
    """The problems that these checks find in whole tables."""
    found = Collected()
    found.add(checks)
    return list(found.problems())
