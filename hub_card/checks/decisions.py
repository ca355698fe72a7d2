"""Every label, and who was to look at it, is decided again from published outcomes, votes and people's answers."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from annotation.adjudicate import Adjudication
from annotation.consensus import Consensus, consensus
from annotation.decide import Policy, decide
from annotation.routing import Case, Look, look, routes, with_people
from hub_card.checks.rows import Part, Row
from hub_card.layout import MANIFEST, parquet_path
from hub_card.problems import Problem, spelled
from hub_card.records import answers, cases, trial
from schemas.config import LEXICAL
from schemas.records import Annotation, Label
from schemas.vocabulary import RefusalLabel


class Says(NamedTuple):
    """The columns of a label that are decided again."""

    status: str
    label: str | None
    source: str | None
    route_reason: str | None
    stream: str | None
    votes: int
    inclusion_probability: float | None
    soft: tuple[float, ...] | None


DECIDED = ("status", "label", "source", "route_reason", "stream", "votes")
TOLERANCE = 1e-6


class _Claim(NamedTuple):
    """What a row of labels says, what follows from its trial, and the trial itself if people answered about it."""

    row: int
    says: Says
    seen: Look
    case: Case | None


class Decisions:
    """Labels other than what the published rows decide; rows with the same difference are one problem that lists them.

    Rows are added part by part, with all rows of each of their trials. Of each stay what its label says and what
    routing looks at, as who is to look at a row depends on all. The manifest says whose votes decide; what it lacks for
    that is the only problem then.
    """

    def __init__(self, corpus: Part, manifest: Mapping[str, Any]) -> None:
        self._misstated = list(_misstated(manifest["settings"]))
        self._policy = Policy() if self._misstated else stated_policy(manifest["settings"], manifest["judge_records"])
        self._said = answers(corpus["annotations"])
        self._people = consensus(answer for found in self._said.values() for answer in found)
        self._requests = {row["variant_id"]: row["request_id"] for row in corpus["variants"]}
        self._looks: list[Look] = []
        self._claims: list[_Claim] = []
        self._alike: dict[Says, Says] = {}

    def add(self, part: Part) -> None:
        """Decide the trials of a part again."""
        if self._misstated:
            return
        tables = {name: part[name] for name in ("judgments", "predictions", "responses")}
        known = {found: (look(case), case) for found, case in cases(tables, self._requests, self._policy)}
        self._looks += (seen for seen, _ in known.values())
        for number, row in part["labels"].numbered():
            found = known.get(trial(row))
            if found is not None:  # another check names a label without its response or prediction
                seen, case = found
                says = _says(row)
                says = self._alike.setdefault(says, says)
                self._claims.append(_Claim(number, says, seen, case if seen.key in self._people else None))

    def problems(self) -> Iterator[Problem]:
        """The problems, once all parts are added."""
        yield from self._misstated
        differing: dict[str, list[int]] = defaultdict(list)
        for number, rule in self._differences():
            differing[rule].append(number)
        for rule, rows in differing.items():
            yield Problem(parquet_path("labels"), f"{'rows' if len(rows) > 1 else 'row'} {in_words(rows)}", rule)

    def _differences(self) -> Iterator[tuple[int, str]]:
        marked = routes(self._looks)
        self._claims.sort(key=attrgetter("row"))
        for claim in self._claims:
            routed, people = marked.marked(claim.seen.label), self._people.get(claim.seen.key)
            if claim.case is None or people is None:
                rules = [_difference(claim.says, with_people(routed, claim.seen.label), None)]
            else:
                readings = _readings(people, self._said[claim.seen.key])
                labels = [with_people(routed, _decided(claim.case, reading, self._policy)) for reading in readings]
                rules = [_difference(claim.says, label, people) for label in labels]
            if all(rules):
                yield claim.row, rules[0]


def stated_policy(settings: Mapping[str, Any], records: Iterable[Any]) -> Policy:
    """Whose votes decide, as a manifest states it: judges whose record passes the gate, and the accepted one."""
    passing = [record for record in records if isinstance(record, dict) and record.get("passes_gate") is True]
    gated = frozenset(str(record.get("judge")) for record in passing)
    return Policy(
        gated=gated - {LEXICAL},
        accepted=settings["accept_judge"],
        min_votes=settings["min_votes"],
        sure=settings["lexical_sure"],
    )


def in_words(numbers: Sequence[int]) -> str:
    """Ascending numbers with neighbours joined: 1–3, 7."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1] = [runs[-1][0], number]
        else:
            runs.append([number])
    return ", ".join("–".join(map(str, run)) for run in runs)


def _misstated(settings: Mapping[str, Any]) -> Iterator[Problem]:
    for name in ("min_votes", "lexical_sure"):
        if type(settings.get(name)) is not int or settings[name] < 1:
            yield Problem(
                MANIFEST, f"settings.{name}", f"want a whole number from 1, got {spelled(settings.get(name))}"
            )
    accepted = settings.get("accept_judge", 0)
    if accepted is not None and not isinstance(accepted, str):
        yield Problem(MANIFEST, "settings.accept_judge", "want the name of a judge, or null")


def _decided(case: Case, people: Adjudication | None, policy: Policy) -> Label:
    return case.label if people is None else decide(case.response, case.judgments, (), policy, people)


def _difference(says: Says, label: Label, people: Consensus | None) -> str:
    wrong = [name for name in DECIDED if getattr(says, name) != getattr(label, name)]
    if not _close(says.inclusion_probability, label.inclusion_probability):
        wrong.append("inclusion_probability")
    if wrong:
        said = ", ".join(f"{name} {_said(getattr(says, name))}" for name in wrong)
        want = ", ".join(f"{name} {_said(getattr(label, name))}" for name in wrong)
        return f"says {said}; outcome, votes and people's answers decide {want}"
    soft = people.soft if people else None
    return "" if _alike(says.soft, soft) else "column soft is not what people's answers give"


def _says(row: Row) -> Says:
    soft = None if row["soft"] is None else tuple(row["soft"])
    return Says(**{name: row[name] for name in (*DECIDED, "inclusion_probability")}, soft=soft)


def _said(value: object) -> str:
    return "nothing" if value is None else str(value)


def _alike(found: Sequence[float | None] | None, wanted: Sequence[float | None] | None) -> bool:
    if found is None or wanted is None:
        return found is wanted
    return len(found) == len(wanted) and all(map(_close, found, wanted))


def _close(found: float | None, wanted: float | None) -> bool:
    if found is None or wanted is None:
        return found is wanted
    return math.isclose(found, wanted, rel_tol=0, abs_tol=TOLERANCE)


def _readings(people: Consensus | None, said: Sequence[Annotation]) -> list[Adjudication | None]:
    """What people may have decided: the last expert decides, and the rows do not keep which of several was last."""
    if people is None:
        return [None]
    experts = {answer.label for answer in said if answer.role == "expert" and answer.status == "submitted"} - {None}
    if len(experts) < 2:
        return [people.people]
    return [people.people._replace(label=label) for label in RefusalLabel if label in experts]
