"""Writing paraphrases until each wanted one stands or its attempts are used up."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from annotation.pairs import pair_verdicts
from builder.growth.admit import meaning_objections, paraphrase_objections
from builder.growth.aids import NO_AIDS, Aids
from builder.growth.candidates import Look
from builder.growth.records import Attempt, Step, Steps
from builder.growth.slots import Slot, is_rewritten, wanted_slots, with_slots
from builder.similarity.minilm import Embed
from schemas.config import BuildConfig
from schemas.records import Request


class Rephrased(NamedTuple):
    """The requests with their paraphrases, the ids of those whose paraphrases were written, and every attempt."""

    requests: tuple[Request, ...]
    written: frozenset[str] = frozenset()
    wanted: int = 0
    attempts: tuple[Attempt, ...] = ()
    keys: frozenset[str] = frozenset()


def rephrase(requests: Sequence[Request], config: BuildConfig, look: Look, aids: Aids = NO_AIDS) -> Steps[Rephrased]:
    """The requests with written paraphrases where the configuration wants them; `look` gives completions by key.

    Every text that stays has passed, beside all others that stay, the rules, the band of meaning and the verifier, if
    there are any, and was not rejected by people. A slot whose attempts are used up stays empty.
    """
    if not config.grows or config.generator is None:
        return Rephrased(tuple(requests))
    bases = [replace(request, paraphrases=()) if is_rewritten(request, config) else request for request in requests]
    slots = wanted_slots(bases, config)
    keys, verdicts = set[str](), pair_verdicts(aids.checks)
    while due := [slot for slot in slots if slot.open]:
        asks = tuple(slot.ask(config.generator) for slot in due)
        keys.update(ask.key for ask in asks)
        yield Step("paraphrase", asks)
        for slot in due:
            slot.read(look(slot.key))
            slot.heed_people(verdicts)
        _check_together(bases, slots)
        if aids.embed is not None:
            _check_meaning(bases, slots, aids.embed)
        if config.verify_with is not None:
            fresh = [slot for slot in due if slot.text is not None]
            checks = tuple(slot.verify_ask(config.verify_with) for slot in fresh)
            keys.update(ask.key for ask in checks)
            yield Step("verify", checks)
            for slot, check in zip(fresh, checks, strict=True):
                slot.heed(look(check.key))
    return Rephrased(
        tuple(with_slots(bases, slots)),
        frozenset(slot.request.request_id for slot in slots),
        len(slots),
        tuple(attempt for slot in slots for attempt in slot.attempts()),
        frozenset(keys),
    )


def _check_together(bases: Sequence[Request], slots: Sequence[Slot]) -> None:
    """Drop what cannot stand beside the rest."""
    named = _named(slots)
    for name, reason in paraphrase_objections(with_slots(bases, slots), named.keys()).items():
        named[name].drop("rejected", reason)


def _check_meaning(bases: Sequence[Request], slots: Sequence[Slot], embed: Embed) -> None:
    """Drop what lies outside the band of meaning."""
    named = _named(slots)
    for name, reason in meaning_objections(with_slots(bases, slots), named.keys(), embed).items():
        named[name].drop("rejected", reason)


def _named(slots: Sequence[Slot]) -> dict[str, Slot]:
    """The slots that hold a text, as the rules name it: by its place among the paraphrases that are there."""
    places: Counter[str] = Counter()
    named: dict[str, Slot] = {}
    for slot in slots:
        if slot.text is not None:
            places[slot.request.request_id] += 1
            named[f"{slot.request.request_id}-v{places[slot.request.request_id]}"] = slot
    return named
