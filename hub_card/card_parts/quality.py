"""How far the labels can be trusted: the judges' records, and how people agree with them and with each other."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from hub_card.markdown import bullets, counted, share, table

Rows = Mapping[str, Sequence[Any]]


def judges(tables: Rows, records: Sequence[Mapping[str, Any]]) -> str:
    """Votes of each judge, its record against people, and a warning for each judge that has none."""
    votes = Counter(row.judge for row in tables["judgments"])
    if not votes:
        return "No judge voted in this release."
    valid = Counter(row.judge for row in tables["judgments"] if row.label is not None)
    measured = {str(record.get("judge")): record for record in records if record.get("n")}
    found = table(
        ["judge", "votes", "with a verdict", "measured against people"],
        [(f"`{name}`", n, share(valid[name], n), _record(measured.get(name))) for name, n in sorted(votes.items())],
    )
    unknown = [f"`{name}`" for name in sorted(votes) if name not in measured]
    if not unknown:
        return found
    return (
        f"{found}\n\n> **Warning.** No record says how well {', '.join(unknown)} agrees with people. "
        "Numbers that rest on its votes alone measure the judge as much as the targets."
    )


def people(tables: Rows) -> str:
    """How often people gave the same label to the same response, and how often each judge gave theirs."""
    answers = defaultdict(list)
    for row in tables["annotations"]:
        if row.status == "submitted" and row.label is not None:
            answers[row.response_key].append(row.label)
    if not answers:
        return "No person labelled a response in this release. Every label is a machine's."
    pairs = [first == second for labels in answers.values() for first, second in combinations(labels, 2)]
    persons = len({row.annotator for row in tables["annotations"]})
    agreement = (
        f"Same label from two people for the same response: {share(sum(pairs), len(pairs))} pairs."
        if pairs
        else "No response was labelled by two people, so their agreement is unknown."
    )
    return bullets([_persons(persons, answers), agreement, *_against_judges(tables, answers)])


def _persons(persons: int, answers: Mapping[str, Sequence[Any]]) -> str:
    who = "One person" if persons == 1 else f"{persons} people"
    return f"{who} labelled {counted(len(answers), 'response')} ({counted(sum(map(len, answers.values())), 'answer')})."


def _against_judges(tables: Rows, answers: Mapping[str, Sequence[Any]]) -> list[str]:
    same: dict[str, list[bool]] = defaultdict(list)
    for row in tables["judgments"]:
        given = set(answers.get(row.response_key, ()))
        if row.label is not None and len(given) == 1:
            same[row.judge].append(row.label in given)
    return [
        f"`{judge}` gave the label people gave to {share(sum(found), len(found))} responses all of them agreed on."
        for judge, found in sorted(same.items())
    ]


def _record(record: Mapping[str, Any] | None) -> str | Mapping[str, Any]:
    if record is None:
        return "no record"
    return {name: value for name, value in sorted(record.items()) if name != "judge"}
