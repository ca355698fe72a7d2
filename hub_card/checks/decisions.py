"""Every label, and who was to look at it, is decided again from published outcomes, votes and people's answers."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from annotation.adjudicate import Adjudication
from annotation.consensus import Consensus, consensus
from annotation.decide import Policy, decide
from annotation.routing import Case, route, with_people
from hub_card.layout import MANIFEST, parquet_path
from hub_card.problems import Problem, spelled
from hub_card.records import Row, Tables, answers, cases, trial
from schemas.config import LEXICAL
from schemas.records import Annotation, Label
from schemas.vocabulary import RefusalLabel

DECIDED = ("status", "label", "source", "route_reason", "stream", "votes")
TOLERANCE = 1e-6


def check_decisions(tables: Tables, manifest: Mapping[str, Any]) -> Iterator[Problem]:
    """Labels other than what the published rows decide; rows with the same difference are one problem that lists them.

    The manifest says whose votes decide; what it lacks for that is the only problem then.
    """
    settings = manifest["settings"]
    misstated = list(_misstated(settings))
    yield from misstated
    if misstated:
        return
    differing: dict[str, list[int]] = defaultdict(list)
    for number, rule in _differences(tables, stated_policy(settings, manifest["judge_records"])):
        differing[rule].append(number)
    for rule, rows in differing.items():
        yield Problem(parquet_path("labels"), f"{'rows' if len(rows) > 1 else 'row'} {in_words(rows)}", rule)


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


def _differences(tables: Tables, policy: Policy) -> Iterator[tuple[int, str]]:
    said = answers(tables["annotations"])
    people = consensus(answer for found in said.values() for answer in found)
    known = dict(cases(tables, policy))
    routed = dict(zip(known, route(list(known.values())), strict=True))
    for number, row in enumerate(tables["labels"], 1):
        case = known.get(trial(row))
        if case is None:
            continue  # another check names a label without its response or prediction
        found = people.get(case.response.key)
        labels = [
            with_people(routed[trial(row)], _decided(case, reading, policy))
            for reading in _readings(found, said[case.response.key])
        ]
        rules = [_difference(row, label, found) for label in labels]
        if all(rules):
            yield number, rules[0]


def _decided(case: Case, people: Adjudication | None, policy: Policy) -> Label:
    return case.label if people is None else decide(case.response, case.judgments, (), policy, people)


def _difference(row: Row, label: Label, people: Consensus | None) -> str:
    wrong = [name for name in DECIDED if row[name] != getattr(label, name)]
    if not _alike([row["inclusion_probability"]], [label.inclusion_probability]):
        wrong.append("inclusion_probability")
    if wrong:
        says = ", ".join(f"{name} {_said(row[name])}" for name in wrong)
        want = ", ".join(f"{name} {_said(getattr(label, name))}" for name in wrong)
        return f"says {says}; outcome, votes and people's answers decide {want}"
    soft = people.soft if people else None
    return "" if _alike(row["soft"], soft) else "column soft is not what people's answers give"


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
