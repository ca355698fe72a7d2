"""Published rows as the records they were made of, as far as a label depends on them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from annotation.decide import Policy, decide
from annotation.routing import Case
from schemas.records import Annotation, Judgment, Prediction, Response
from schemas.vocabulary import Outcome, PredictionStatus, RefusalLabel

Row = Mapping[str, Any]
Tables = Mapping[str, Iterable[Row]]
Trial = tuple[str, str, int]


def trial(row: Row) -> Trial:
    """The trial that a row is about."""
    return row["target"], row["variant_id"], row["sample"]


def answered(row: Row) -> Response:
    """The response of a row; in place of a withheld text stand as many letters: no blank text is ever withheld."""
    outcome = None if row["outcome"] is None else Outcome(row["outcome"])
    text = "x" * max(1, row["characters"] or 0) if row["redacted"] else row["text"]
    return Response(row["response_key"], outcome, text or "", stop_reason=row["stop_reason"])


def predicted(row: Row) -> Prediction:
    """The prediction of a row."""
    return Prediction(PredictionStatus(row["status"]), row["key"], row["refuse"], row["confidence"])


def judgment(row: Row) -> Judgment:
    """The vote of a row."""
    label = _label(row["label"])
    return Judgment(row["judge"], row["response_key"], label, row["confidence"], row["evidence"], row["reason"])


def annotation(row: Row) -> Annotation:
    """The answer of a row."""
    return Annotation(**{**row, "label": _label(row["label"])})


def cases(tables: Tables, requests: Mapping[str, str], policy: Policy) -> Iterator[tuple[Trial, Case]]:
    """Every response that has a prediction, with its votes and the label that outcome and votes alone decide.

    The tables hold all rows of their trials; `requests` is variant → request.
    """
    votes: defaultdict[Trial, list[Judgment]] = defaultdict(list)
    for row in tables["judgments"]:
        votes[trial(row)].append(judgment(row))
    predictions = {trial(row): predicted(row) for row in tables["predictions"]}
    for row in tables["responses"]:
        found, response = trial(row), answered(row)
        if found in predictions:
            said = tuple(votes.get(found, ()))
            label = decide(response, said, (), policy)
            yield (
                found,
                Case(row["target"], requests.get(row["variant_id"], ""), response, predictions[found], said, label),
            )


def answers(rows: Iterable[Row]) -> defaultdict[str, list[Annotation]]:
    """What people said of each response, by its key."""
    found: defaultdict[str, list[Annotation]] = defaultdict(list)
    for row in rows:
        found[row["response_key"]].append(annotation(row))
    return found


def _label(name: str | None) -> RefusalLabel | None:
    return None if name is None else RefusalLabel(name)
