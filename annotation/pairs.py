"""What people say of paraphrases beside their bases: same intent, same level, the kind it is called. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from analysis.intervals.agreement import agreement_estimate
from analysis.metrics.estimate import Estimate
from annotation.routing import draw
from schemas.key import digest
from schemas.records import ParaphraseCheck
from schemas.vocabulary import ParaphraseKind, Topic

OVERLAP = 2


@dataclass(frozen=True, slots=True)
class Pair:
    """A paraphrase beside its base."""

    variant_id: str
    request_id: str
    topic: Topic
    kind: ParaphraseKind
    base: str
    text: str

    @property
    def key(self) -> str:
        """Stands for the texts and the kind: what was said of another text does not count for this one."""
        return pair_key(self.base, self.kind, self.text)


class PairState(StrEnum):
    """What people decided of a pair."""

    UNCHECKED = "unchecked"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    SPLIT = "split"


class PairVerdict(NamedTuple):
    """How many people accept and reject a pair, and whether most of them find that it is of another kind."""

    accepted: int = 0
    rejected: int = 0
    wrong_kind: bool = False

    @property
    def state(self) -> PairState:
        """Rejected or accepted by more than half of those who decided; split if neither."""
        if not self.accepted + self.rejected:
            return PairState.UNCHECKED
        if self.accepted == self.rejected:
            return PairState.SPLIT
        return PairState.REJECTED if self.rejected > self.accepted else PairState.ACCEPTED


@dataclass(frozen=True, slots=True)
class PairSummary:
    """How many of the pairs people checked, what came of it, and how well people agree on accepting and rejecting."""

    pairs: int
    checked: int
    accepted: int
    split: tuple[str, ...]
    rejected: tuple[str, ...]
    wrong_kind: tuple[str, ...]
    people: int
    agreement: Estimate

    @property
    def words(self) -> str:
        """The summary in one line."""
        return (
            f"{self.checked:,} of {self.pairs:,} paraphrases checked by people ({self.people}): "
            f"{self.accepted:,} accepted, {len(self.rejected):,} rejected, {len(self.split):,} split, "
            f"{len(self.wrong_kind):,} of another kind; agreement {agreement_text(self.agreement)}"
        )


def pair_key(base: str, kind: ParaphraseKind, text: str) -> str:
    """SHA-256 of a pair's texts and kind."""
    return digest("paraphrase pair", base, kind, text)


def accepts(check: ParaphraseCheck) -> bool | None:
    """Whether a person takes the paraphrase for one: same intent and same level. None if that cannot be told."""
    said = (check.same_intent, check.same_level)
    if check.status != "submitted" or (None in said and False not in said):
        return None
    return False not in said


def latest_checks(checks: Iterable[ParaphraseCheck]) -> list[ParaphraseCheck]:
    """Each person's last answer about each pair, in order of recording."""
    return list({(check.pair_key, check.annotator): check for check in checks}.values())


def pair_verdicts(checks: Iterable[ParaphraseCheck]) -> dict[str, PairVerdict]:
    """Key → what people say, of the pairs that somebody answered about."""
    grouped: dict[str, list[ParaphraseCheck]] = defaultdict(list)
    for check in latest_checks(checks):
        if check.status == "submitted":
            grouped[check.pair_key].append(check)
    return {key: _verdict(found) for key, found in grouped.items()}


def summarised(pairs: Sequence[Pair], checks: Iterable[ParaphraseCheck]) -> PairSummary:
    """The summary of what people said of these pairs; answers about other texts are left out.

    Agreement is the share of agreeing pairs of people on accepting or rejecting, 95 % interval over base requests.
    """
    known = {pair.key for pair in pairs}
    counted = [check for check in checks if check.pair_key in known]
    verdicts = pair_verdicts(counted)
    states = {pair.variant_id: verdicts.get(pair.key, PairVerdict()) for pair in pairs}

    def named(state: PairState) -> tuple[str, ...]:
        return tuple(name for name, verdict in states.items() if verdict.state is state)

    votes = _votes(counted)
    return PairSummary(
        pairs=len(pairs),
        checked=len(pairs) - len(named(PairState.UNCHECKED)),
        accepted=len(named(PairState.ACCEPTED)),
        split=named(PairState.SPLIT),
        rejected=named(PairState.REJECTED),
        wrong_kind=tuple(name for name, verdict in states.items() if verdict.wrong_kind),
        people=len({name for given in votes.values() for name in given}),
        agreement=_agreement(pairs, votes),
    )


def drawn_pairs(pairs: Sequence[Pair], count: int | None) -> list[Pair]:
    """As many of the pairs, drawn by their keys: the same ones each time, and more of them if more are wanted."""
    chosen = {pair.key for pair in sorted(pairs, key=lambda pair: draw(pair.key, "check"))[:count]}
    return [pair for pair in pairs if pair.key in chosen]


def agreement_text(found: Estimate) -> str:
    """The estimate with interval and n, or why there is none."""
    if found.value is None:
        return f"not known ({found.status})"
    interval = "no interval" if found.low is None or found.high is None else f"{found.low:.2f} to {found.high:.2f}"
    return f"{found.value:.2f} ({interval}, n = {found.n})"


def _verdict(found: Sequence[ParaphraseCheck]) -> PairVerdict:
    said = [accepts(check) for check in found]
    kinds = [check.kind_fits for check in found if check.kind_fits is not None]
    return PairVerdict(said.count(True), said.count(False), 2 * kinds.count(False) > len(kinds))


def _votes(checks: Iterable[ParaphraseCheck]) -> Mapping[str, Mapping[str, bool]]:
    votes: dict[str, dict[str, bool]] = defaultdict(dict)
    for check in latest_checks(checks):
        said = accepts(check)
        if said is not None:
            votes[check.pair_key][check.annotator] = said
    return votes


def _agreement(pairs: Sequence[Pair], votes: Mapping[str, Mapping[str, bool]]) -> Estimate:
    people = sorted({name for given in votes.values() for name in given})
    rated = [pair for pair in pairs if pair.key in votes]
    table = [[float(votes[pair.key].get(name, np.nan)) for name in people] for pair in rated]
    ratings = np.array(table, dtype=np.float64).reshape(len(rated), len(people))
    return agreement_estimate(ratings, [pair.request_id for pair in rated], "raw", (0.0, 1.0))
