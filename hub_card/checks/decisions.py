"""Every label is decided again from the published outcome, votes and people's answers, by the rules that made it."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from annotation.adjudicate import Adjudication
from annotation.consensus import Consensus, consensus
from annotation.decide import Policy, decide
from hub_card.layout import MANIFEST, parquet_path
from hub_card.problems import Problem
from hub_card.records import Trial, annotation, answered, judgment, trial
from schemas.config import LEXICAL
from schemas.records import Annotation, Judgment, Label
from schemas.vocabulary import RefusalLabel, ResponseStatus

Row = Mapping[str, Any]
Tables = Mapping[str, Sequence[Row]]
DECIDED = ("status", "label", "source", "votes")
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
            yield Problem(MANIFEST, f"settings.{name}", f"want a whole number from 1, got {settings.get(name)!r}")
    accepted = settings.get("accept_judge", 0)
    if accepted is not None and not isinstance(accepted, str):
        yield Problem(MANIFEST, "settings.accept_judge", "want the name of a judge, or null")


def _differences(tables: Tables, policy: Policy) -> Iterator[tuple[int, str]]:
    votes, answers = _grouped(tables["judgments"]), _answers(tables["annotations"])
    people = consensus(answer for found in answers.values() for answer in found)
    responses = {trial(row): answered(row) for row in tables["responses"]}
    for number, row in enumerate(tables["labels"], 1):
        response = responses.get(trial(row))
        if response is None:
            continue  # another check names a label without its response
        found = people.get(response.key)
        readings = _readings(found, answers[response.key])
        labels = [decide(response, votes[trial(row)], (), policy, reading) for reading in readings]
        rules = [_difference(row, label, found) for label in labels]
        if all(rules):
            yield number, rules[0]


def _difference(row: Row, label: Label, people: Consensus | None) -> str:
    reasoned = label.status is ResponseStatus.UNLABELLED
    names = (*DECIDED, "route_reason") if reasoned else DECIDED
    wrong = [name for name in names if row[name] != getattr(label, name)]
    if wrong:
        says = ", ".join(f"{name} {row[name]}" for name in wrong)
        want = ", ".join(f"{name} {getattr(label, name)}" for name in wrong)
        return f"says {says}; outcome, votes and people's answers decide {want}"
    soft = people.soft if people else None
    return "" if _alike(row["soft"], soft) else "column soft is not what people's answers give"


def _alike(found: Sequence[float] | None, wanted: Sequence[float] | None) -> bool:
    if found is None or wanted is None:
        return found is wanted
    pairs = zip(found, wanted, strict=False)
    return len(found) == len(wanted) and all(math.isclose(a, b, rel_tol=0, abs_tol=TOLERANCE) for a, b in pairs)


def _readings(people: Consensus | None, answers: Sequence[Annotation]) -> list[Adjudication | None]:
    """What people may have decided: the last expert decides, and the rows do not keep which of several was last."""
    if people is None:
        return [None]
    experts = {answer.label for answer in answers if answer.role == "expert" and answer.status == "submitted"} - {None}
    if len(experts) < 2:
        return [people.people]
    return [people.people._replace(label=label) for label in RefusalLabel if label in experts]


def _grouped(rows: Iterable[Row]) -> defaultdict[Trial, list[Judgment]]:
    votes: defaultdict[Trial, list[Judgment]] = defaultdict(list)
    for row in rows:
        votes[trial(row)].append(judgment(row))
    return votes


def _answers(rows: Iterable[Row]) -> defaultdict[str, list[Annotation]]:
    answers: defaultdict[str, list[Annotation]] = defaultdict(list)
    for row in rows:
        answers[row["response_key"]].append(annotation(row))
    return answers
