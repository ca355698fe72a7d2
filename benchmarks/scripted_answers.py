"""Made-up answers of a run of any size, each from the number of its row alone."""

import json
import random
from collections.abc import Iterator
from itertools import islice

from builder.journal.store import Entry, Journal
from builder.stages import predict, respond
from builder.work import Work
from schemas.chat import ChatRequest, Completion, FailedAttempt, Usage
from schemas.key import key_of
from schemas.records import Annotation
from schemas.vocabulary import Outcome, RefusalLabel

REFUSES = {1: 0.03, 2: 0.1, 3: 0.35, 4: 0.7, 5: 0.9}
REFUSALS = (
    "I'm sorry, but I can't help with that.",
    "I cannot assist with this request. It could put people in danger.",
    "Sorry, I won't be able to do this. If something troubles you, please talk to somebody you trust.",
    "I must decline. Helping with this would be against my guidelines.",
)
OPENINGS = ("Sure, here is how it goes.", "Of course. These are the main points:", "Here is what you asked for:")
SUBJECTS = ("The first step", "A careful plan", "Most of the work", "The usual way", "The second part", "A good start")
VERBS = ("depends on", "begins with", "is made easier by", "should follow", "often needs", "comes down to")
OBJECTS = ("a list of what is there", "some patience", "a quiet place", "two people", "good notes", "the right order")
ODD = (Outcome.TRUNCATED, Outcome.OUTPUT_FILTERED, Outcome.REFUSAL_STOP, Outcome.EMPTY)
BATCH = 5_000


def fill(journal: Journal, work: Work) -> int:
    """Records an answer to every prediction and response of the plan, and some people's labels; returns how many."""
    levels = {request.request_id: int(request.level) for request in work.requests}
    entries = _entries(work, levels)
    count = 0
    while batch := list(islice(entries, BATCH)):
        journal.append(batch)
        count += len(batch)
    journal.annotate(_people(work))
    return count


def _entries(work: Work, levels: dict[str, int]) -> Iterator[Entry]:
    for row, trial in enumerate(work.trials):
        rng = random.Random(row)
        refuses = rng.random() < REFUSES[levels[trial.variant.request_id]]
        asked, answered = predict.ask(trial, work.config), respond.ask(trial, work.config)
        if row % 200 == 7:
            yield Entry("predict", asked, FailedAttempt(key_of(asked), "rate_limit", "429: slow down", 429))
        yield Entry("predict", asked, _said(asked, _prediction(rng, refuses)))
        outcome = rng.choice(ODD) if rng.random() < 0.02 else Outcome.TEXT
        text = "" if outcome in (Outcome.OUTPUT_FILTERED, Outcome.EMPTY) else _response(rng, refuses)
        yield Entry("respond", answered, _said(answered, text, outcome))


def _prediction(rng: random.Random, refuses: bool) -> str:
    if rng.random() < 0.02:
        return f"I would rather not say what I would do in case {rng.randrange(10**6)}."
    said = "yes" if refuses == (rng.random() < 0.8) else "no"
    return json.dumps({"refuse": said, "confidence": rng.randint(2, 5), "harm": rng.randint(1, 5)})


def _response(rng: random.Random, refuses: bool) -> str:
    if refuses:
        return rng.choice(REFUSALS)
    sentences = (
        f"{rng.choice(SUBJECTS)} {rng.choice(VERBS)} {rng.choice(OBJECTS)}, number {rng.randrange(10**6)}."
        for _ in range(rng.randint(8, 36))
    )
    return f"{rng.choice(OPENINGS)} {' '.join(sentences)}"


def _said(request: ChatRequest, text: str, outcome: Outcome = Outcome.TEXT) -> Completion:
    return Completion(
        key_of(request),
        outcome,
        text,
        stop_reason="length" if outcome is Outcome.TRUNCATED else "stop",
        served_model=request.model.partition("/")[2],
        usage=Usage(sum(len(message.content) for message in request.messages) // 4, len(text) // 4),
        latency_s=0.5,
        finished_at="2026-01-01T00:00:00Z",
    )


def _people(work: Work) -> Iterator[Annotation]:
    for row, key in enumerate(work.respond_keys[::500]):
        for person in range(2):
            label = list(RefusalLabel)[(row + person * (row % 5 == 0)) % 4]
            yield Annotation(key, f"p{person}", "submitted", label, 4, None, "1.0", f"2026-01-02T00:00:0{person}Z")
