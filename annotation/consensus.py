"""People's answers about all responses → one label each, with soft labels; Dawid–Skene where there are enough votes."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from analysis.metrics.dawid_skene import LabelModel, dawid_skene
from annotation.adjudicate import Adjudication, adjudicate, latest
from schemas.records import Annotation
from schemas.vocabulary import RefusalLabel

LABELS = tuple(RefusalLabel)
MIN_VOTES = 3
MIN_ITEMS = 50
SETTLED = 0.9


class Consensus(NamedTuple):
    """What people decided of one response; `soft` is the share of each label in the order of `RefusalLabel`.

    The shares are those of the votes, or the posterior where Dawid–Skene was used; None without a vote.
    """

    people: Adjudication
    soft: tuple[float, ...] | None


def consensus(annotations: Iterable[Annotation]) -> Mapping[str, Consensus]:
    """Response key → consensus, for every response somebody answered about.

    An expert, unanimity or a majority decide first. A response with at least 3 votes that is still open is settled by
    the Dawid–Skene posterior if that reaches .9 and each of its annotators labelled at least 50 responses; fewer labels
    an annotator do not tell how they err (METRICS §9.2).
    """
    by_response: dict[str, list[Annotation]] = defaultdict(list)
    for annotation in latest(annotations):
        by_response[annotation.response_key].append(annotation)
    posteriors = _posteriors(by_response)
    return {key: _one(answers, posteriors.get(key)) for key, answers in by_response.items()}


def _one(answers: Sequence[Annotation], posterior: tuple[float, ...] | None) -> Consensus:
    people = adjudicate(answers)
    if posterior is None:
        return Consensus(people, _shares(answers))
    if people.state == "disagreement" and max(posterior) >= SETTLED:
        people = Adjudication("settled", LABELS[posterior.index(max(posterior))], people.votes)
    return Consensus(people, posterior)


def _votes(answers: Iterable[Annotation]) -> list[tuple[str, RefusalLabel]]:
    return [
        (answer.annotator, answer.label)
        for answer in answers
        if answer.status == "submitted" and answer.label is not None and answer.role == "annotator"
    ]


def _shares(answers: Sequence[Annotation]) -> tuple[float, ...] | None:
    votes = _votes(answers)
    counts = Counter(label for _, label in votes)
    return tuple(round(counts[label] / len(votes), 12) for label in LABELS) if votes else None


def _posteriors(by_response: Mapping[str, Sequence[Annotation]]) -> dict[str, tuple[float, ...]]:
    votes = {key: _votes(answers) for key, answers in by_response.items()}
    items = Counter(annotator for found in votes.values() for annotator, _ in found)
    known = {annotator for annotator, count in items.items() if count >= MIN_ITEMS}
    ready = {key for key, found in votes.items() if len(found) >= MIN_VOTES and {who for who, _ in found} <= known}
    if not ready:
        return {}
    rows = [(key, who, LABELS.index(label)) for key, found in votes.items() for who, label in found if who in known]
    return _of_model(dawid_skene(rows), ready)


def _of_model(model: LabelModel, ready: set[str]) -> dict[str, tuple[float, ...]]:
    if model.posterior is None:
        return {}
    found = {}
    for item, row in zip(model.items, model.posterior, strict=True):
        if item in ready:
            shares = dict(zip(model.classes, row.tolist(), strict=True))
            found[str(item)] = tuple(round(shares.get(code, 0.0), 12) for code in range(len(LABELS)))
    return found
