"""What a release says of its own making: hashes, targets as asked and served, and an account of every planned row."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib.metadata import version

from annotation.codebook import codebook_hash, codebook_text, codebook_version
from annotation.decide import Policy
from annotation.judge_record import JudgeRecord
from builder.growth.facts import growth_counts, prompts_used
from builder.prompts import prompt_hash
from builder.tally import Tallies, Tally
from builder.work import Work
from hub_card.facts import Codebook, ReleaseFacts, StageCount
from schemas.config import BuildConfig
from schemas.key import digest

CANARY = "refusal-foresight canary 324f9dda-62f6-46ba-9681-f88340a4dfb0"
HOW_IT_WAS_ASKED = {
    "judge_records",
    "base_url",
    "concurrency",
    "call_timeout_s",
    "prices",
    "budget_usd",
    "transport",
    "workers",
    "ray",
    "store",
    "batch_poll_s",
}
PROMPTS = ("predict", "judge", "judge_item")


def release_facts(work: Work, tallies: Tallies, records: Iterable[JudgeRecord] = ()) -> ReleaseFacts:
    """The facts of a build's release; the same work gives the same facts."""
    config = work.config
    return ReleaseFacts(
        name=config.release_name,
        version=config.release_version,
        tier=config.tier,
        code_version=version("refusal-foresight"),
        corpus_hash=corpus_hash(work),
        prompt_hashes={name: prompt_hash(name) for name in (*PROMPTS, *prompts_used(config))},
        codebook=Codebook(codebook_version(), codebook_hash(), codebook_text()),
        targets={target: tuple(sorted(tallies[target].served)) for target in config.targets},
        counts=(
            *growth_counts(work.grown, config),
            *(count for target in config.targets for count in _counts(target, tallies[target], config)),
        ),
        settings={**config.model_dump(mode="json", exclude=HOW_IT_WAS_ASKED), "lexical_sure": Policy().sure},
        canary=CANARY,
        judge_records=tuple(json.loads(record.to_json()) for record in records),
    )


def corpus_hash(work: Work) -> str:
    """SHA-256 of every variant's id and text, in order."""
    return digest(*(part for variant in work.variants for part in (variant.variant_id, variant.text)))


def _counts(target: str, tally: Tally, config: BuildConfig) -> tuple[StageCount, ...]:
    lost = tally.outcomes["error"]
    return (
        _count("predict", target, tally.predictions, "ok"),
        StageCount("respond", target, tally.planned, tally.planned - lost, _nonzero({"error": lost})),
        *(_votes(name, target, tally) for name in config.judges),
        _count("label", target, tally.statuses, "ok"),
    )


def _votes(name: str, target: str, tally: Tally) -> StageCount:
    made = tally.verdicts[name]
    missing = {"no_valid_verdict": tally.votes[name] - made, "nothing_to_judge": tally.planned - tally.readable}
    return StageCount(f"judge {name}", target, tally.planned, made, _nonzero(missing))


def _count(stage: str, target: str, statuses: Counter[str], good: str) -> StageCount:
    missing = {name: count for name, count in sorted(statuses.items()) if name != good}
    return StageCount(stage, target, statuses.total(), statuses[good], missing)


def _nonzero(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count}
