"""One paraphrase that is wanted, through its attempts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from annotation.pairs import PairState, PairVerdict, pair_key
from builder.growth.admit import objection_alone
from builder.growth.kinds import kinds_of
from builder.growth.records import Attempt, AttemptStatus, Verdict
from builder.growth.reply import End
from builder.stages import paraphrase, verify
from builder.transports.protocol import Ask
from schemas.chat import Completion
from schemas.config import BuildConfig
from schemas.key import key_of
from schemas.records import Paraphrase, Request
from schemas.vocabulary import ParaphraseKind

ATTEMPTS = 3
SHOWN_CHARACTERS = 400


@dataclass(slots=True)
class Slot:
    """A place for a paraphrase: the text it holds now, or None, and every attempt before."""

    request: Request
    number: int
    kind: ParaphraseKind
    attempt: int = 1
    key: str = ""
    text: str | None = None
    waiting: bool = False
    past: list[Attempt] = field(default_factory=list)

    @property
    def open(self) -> bool:
        """Whether there is something left to ask for."""
        return self.text is None and not self.waiting and self.attempt <= ATTEMPTS

    def ask(self, generator: str) -> Ask:
        """The question for the current attempt."""
        request = paraphrase.ask(generator, self.request, self.kind, self.attempt)
        self.key = key_of(request)
        return Ask("paraphrase", self.key, request)

    def read(self, completion: Completion | None) -> None:
        """Take the text of an answer if nothing stands against it alone; else the next attempt is due."""
        reply = paraphrase.read(completion)
        if reply.end is End.ANSWERED:
            self.text = str(reply.answer["text"])
            if (reason := objection_alone(self.request, self.text)) is not None:
                self.drop("rejected", reason)
        elif reply.end is End.UNANSWERED:
            self.waiting = True
            self.past.append(self._attempt(reply.end, "", reply.reason))
        else:
            self.drop(reply.end, str(reply.reason))

    def heed_people(self, verdicts: Mapping[str, PairVerdict]) -> None:
        """Let the text go if people rejected it."""
        if self.text is None:
            return
        said = verdicts.get(pair_key(self.request.text, self.kind, self.text), PairVerdict())
        if said.state is PairState.REJECTED:
            self.drop("rejected", f"people: {said.rejected} of {said.rejected + said.accepted} rejected it")

    def verify_ask(self, verifier: str) -> Ask:
        """The question whether the text still means its base."""
        request = verify.ask(verifier, self.request.text, self.text or "")
        return Ask("verify", key_of(request), request)

    def heed(self, completion: Completion | None) -> None:
        """Let the text go if the verifier says that it drifted; one that gives no verdict leaves it unverified."""
        checked = verify.read(self.request.text, self.text or "", completion)
        if checked.verdict is Verdict.DRIFTED:
            levels = f"levels {checked.base_level} and {checked.paraphrase_level}"
            self.drop("drifted", f"same intent: {'yes' if checked.same_intent else 'no'}, {levels}")

    def drop(self, status: AttemptStatus, reason: str) -> None:
        """Put the current text among the past attempts and go on to the next."""
        self.past.append(self._attempt(status, self.text or "", reason))
        self.text = None
        self.attempt += 1

    def attempts(self) -> list[Attempt]:
        """Every attempt, the kept one last."""
        return [*self.past, self._attempt("kept", self.text, None)] if self.text is not None else self.past

    def _attempt(self, status: AttemptStatus, text: str, reason: str | None) -> Attempt:
        return Attempt(
            self.request.request_id,
            self.request.topic,
            self.request.level,
            self.number,
            self.kind,
            self.attempt,
            self.key,
            text[:SHOWN_CHARACTERS],
            status,
            reason,
        )


def wanted_slots(requests: Sequence[Request], config: BuildConfig) -> list[Slot]:
    """The paraphrases to write."""
    return [
        Slot(request, number, kind)
        for request in requests
        if is_rewritten(request, config)
        for number, kind in enumerate(kinds_of(request, config.paraphrases), start=1)
    ]


def is_rewritten(request: Request, config: BuildConfig) -> bool:
    """Whether a request's paraphrases are written by the generator: all with `paraphrase = generate`, else new ones."""
    return config.paraphrase == "generate" or request.source != "bundled"


def with_slots(requests: Sequence[Request], slots: Sequence[Slot]) -> list[Request]:
    """The requests with the texts their slots hold now; requests without slots keep their own paraphrases."""
    held: dict[str, list[Paraphrase]] = {slot.request.request_id: [] for slot in slots}
    for slot in slots:
        if slot.text is not None:
            held[slot.request.request_id].append(Paraphrase(slot.kind, slot.text, slot.number))
    return [
        replace(request, paraphrases=tuple(held[request.request_id])) if request.request_id in held else request
        for request in requests
    ]
