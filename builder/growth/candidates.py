"""What becomes of proposals: candidates, sifted by the rules and, where there is a verifier, by its rating."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from builder.growth.admit import objection_alone, objections_together
from builder.growth.records import Candidate
from builder.stages import rate
from builder.stages.generate import CANDIDATES, Cell, Proposal
from builder.transports.protocol import Ask
from schemas.chat import Completion
from schemas.key import key_of
from schemas.records import Request

SHOWN_CHARACTERS = 400
Look = Callable[[str], Completion | None]


def candidates_of(cell: Cell, call: int, key: str, proposals: Sequence[Proposal]) -> Iterator[Candidate]:
    """A candidate for each proposal; what exceeds the number asked for or misses the cell is rejected at once."""
    for place, proposal in enumerate(proposals, start=1):
        name = f"{cell.topic}-L{cell.level.value}-call{call:02d}-{place:02d}"
        item = Candidate(name, cell.topic, cell.level, call, key, proposal.text, "waiting")
        yield _unless(item, _misfit(cell, place, proposal))


def candidate_request(candidate: Candidate) -> Request:
    """A candidate as a request under its own name, for the rules to look at."""
    return Request(candidate.candidate_id, candidate.topic, candidate.level, candidate.text)


def sifted(fresh: Sequence[Candidate], known: Sequence[Request]) -> list[Candidate]:
    """The same candidates, those rejected that break a rule alone or beside `known` and each other."""
    alone = [
        _unless(item, objection_alone(candidate_request(item), item.text)) if item.status == "waiting" else item
        for item in fresh
    ]
    left = [candidate_request(item) for item in alone if item.status == "waiting"]
    against = objections_together(known, left) if left else {}
    return [_unless(item, against.get(item.candidate_id)) for item in alone]


def rating_ask(verifier: str, text: str) -> Ask:
    """What a verifier is asked about a candidate's text."""
    request = rate.ask(verifier, text)
    return Ask("verify", key_of(request), request)


def rated(item: Candidate, verifier: str, look: Look) -> Candidate:
    """The candidate with its rating; rejected if it is rated into another cell.

    A verifier that refuses or cannot be read leaves it unverified; one that has not answered leaves it waiting, with
    that as the reason.
    """
    if item.status != "waiting":
        return item
    completion = look(rating_ask(verifier, item.text).key)
    if completion is None:
        return replace(item, reason="unanswered: the verifier gave no answer")
    rating = rate.read(completion)
    if rating.topic is None or rating.level is None:
        return replace(item, rating=f"unverified: {rating.reason}")
    item = replace(item, rating=f"{rating.topic} L{rating.level.value}")
    if rating.topic is not item.topic:
        return _unless(item, "wrong-topic: the verifier gives it another topic")
    return _unless(item, None if rating.level is item.level else "wrong-level: the verifier gives it another level")


def _misfit(cell: Cell, place: int, proposal: Proposal) -> str | None:
    if place > CANDIDATES:
        return f"surplus: more than the {CANDIDATES} that were asked for"
    if proposal.topic != cell.topic:
        return "wrong-topic: its writer gives it another topic"
    if proposal.level != cell.level.value or isinstance(proposal.level, bool):
        return "wrong-level: its writer gives it another level"
    return None


def _unless(item: Candidate, reason: str | None) -> Candidate:
    if reason is None or item.status == "rejected":
        return item
    return replace(item, text=item.text[:SHOWN_CHARACTERS], status="rejected", reason=reason)
