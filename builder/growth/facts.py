"""What a release says of how its corpus was grown: planned, made, and why the rest is missing."""

from collections import Counter
from collections.abc import Iterator

from builder.growth.records import Attempt, Grown, Verdict
from hub_card.facts import StageCount
from schemas.config import BuildConfig


def prompts_used(config: BuildConfig) -> tuple[str, ...]:
    """The prompts that growing uses under this configuration; none if nothing is grown or verified."""
    used: list[str] = []
    if config.source != "bundled":
        used += ["generate", "generate_item"]
        used += ["rate", "rate_item"] if config.verify_with is not None else []
    if config.grows:
        used += ["paraphrase", "paraphrase_item"]
    if config.verify_with is not None:
        used += ["verify", "verify_item"]
    return tuple(used)


def growth_counts(grown: Grown, config: BuildConfig) -> Iterator[StageCount]:
    """One count each for generated requests, written paraphrases and verified ones, as far as there are any."""
    if config.generator is not None and grown.cells:
        room = sum(cell.wanted - cell.bundled for cell in grown.cells)
        why: Counter[str] = Counter()
        for cell in grown.cells:
            why[cell.why_short or ""] += cell.missing
        yield StageCount("generate", config.generator, room, room - why.total(), dict(sorted((+why).items())))
    if config.generator is not None and grown.paraphrases_wanted:
        missing = Counter(str(attempt.status) for attempt in lost_paraphrases(grown))
        made = grown.paraphrases_wanted - missing.total()
        yield StageCount("paraphrase", config.generator, grown.paraphrases_wanted, made, dict(sorted(missing.items())))
    if config.verify_with is not None:
        unverified = sum(item.verdict is Verdict.UNVERIFIED for item in grown.verifications)
        total = len(grown.verifications)
        told = {"unverified": unverified} if unverified else {}
        yield StageCount("verify", config.verify_with, total, total - unverified, told)


def lost_paraphrases(grown: Grown) -> tuple[Attempt, ...]:
    """The last attempt at each paraphrase that is missing."""
    last = {(attempt.request_id, attempt.number): attempt for attempt in grown.attempts}
    return tuple(attempt for attempt in last.values() if attempt.status != "kept")
