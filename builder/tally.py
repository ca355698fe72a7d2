"""Counts of how the planned rows of a target ended: small, added up part by part."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from builder.stages import judge
from schemas.records import Judgment, Label, Prediction, Response


@dataclass(slots=True)
class Tally:
    """One target's rows: predictions by status, responses by outcome, votes by judge, labels by status and source.

    `streams` is response key → (stream, reason) of the responses that people are to look at.
    """

    planned: int = 0
    predictions: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    served: set[str] = field(default_factory=set)
    readable: int = 0
    votes: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    streams: dict[str, tuple[str, str]] = field(default_factory=dict)

    def read(
        self,
        predictions: Sequence[Prediction],
        responses: Sequence[Response],
        judgments: Iterable[Sequence[Judgment]],
    ) -> None:
        """Count the predictions, responses and votes of some rows."""
        self.planned += len(responses)
        self.predictions.update(str(prediction.status) for prediction in predictions)
        self.outcomes.update(str(response.outcome or "error") for response in responses)
        self.served.update(response.served_model for response in responses if response.served_model is not None)
        self.readable += sum(judge.wanted(response) for response in responses)
        votes = [vote for found in judgments for vote in found]
        self.votes.update(vote.judge for vote in votes)
        self.verdicts.update(vote.judge for vote in votes if vote.label is not None)

    def label(self, labels: Iterable[Label]) -> None:
        """Count the labels of some rows."""
        for label in labels:
            self.statuses[str(label.status)] += 1
            if label.source:
                self.sources[str(label.source)] += 1
            if label.stream:
                self.streams[label.response_key] = (label.stream, label.route_reason or str(label.stream))

    def add(self, other: "Tally") -> None:
        """Count what another tally of the same target has counted."""
        self.planned += other.planned
        self.readable += other.readable
        self.served |= other.served
        self.streams |= other.streams
        for name in ("predictions", "outcomes", "votes", "verdicts", "statuses", "sources"):
            getattr(self, name).update(getattr(other, name))


Tallies = dict[str, Tally]
